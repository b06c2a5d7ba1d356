import { hostname } from 'node:os'
import { Long, ObjectId } from 'bson'
import type { Document } from '../bson/document.ts'
import { MAX_DOCUMENT_BYTES } from '../bson/encode.ts'
import { ENGINE_NAME, MAX_WIRE_VERSION, SERVER_VERSION, versionParts } from '../version.ts'
import { MAX_MESSAGE_BYTES } from '../wire/message.ts'
import type { CommandContext, Handler } from './context.ts'

/** A replica set of one needs a constant election id. */
const ELECTION_ID = new ObjectId('7fffffff0000000000000001')

/** https://www.mongodb.com/docs/manual/reference/command/hello/, as the primary of a replica set of one. */
const describe = ({ engine, client }: CommandContext, command: 'hello' | 'isMaster'): Document => ({
  ...(command === 'isMaster' ? { ismaster: true, helloOk: true } : { isWritablePrimary: true }),
  setName: engine.set.name,
  setVersion: 1,
  secondary: false,
  hosts: [engine.set.host],
  primary: engine.set.host,
  me: engine.set.host,
  electionId: ELECTION_ID,
  lastWrite: { opTime: { ts: engine.clock.latest(), t: Long.ONE }, lastWriteDate: new Date(engine.now()) },
  maxBsonObjectSize: MAX_DOCUMENT_BYTES,
  maxMessageSizeBytes: MAX_MESSAGE_BYTES,
  maxWriteBatchSize: 100_000,
  localTime: new Date(engine.now()),
  logicalSessionTimeoutMinutes: 30,
  connectionId: client.id,
  minWireVersion: 0,
  maxWireVersion: MAX_WIRE_VERSION,
  readOnly: false,
  ok: 1
})

export const hello: Handler = (context) => describe(context, 'hello')
export const isMaster: Handler = (context) => describe(context, 'isMaster')

export const ping: Handler = () => ({ ok: 1 })

export const buildInfo: Handler = () => ({
  version: SERVER_VERSION,
  gitVersion: ENGINE_NAME,
  modules: [],
  allocator: 'system',
  javascriptEngine: 'none',
  sysInfo: 'deprecated',
  versionArray: versionParts,
  bits: 64,
  debug: false,
  maxBsonObjectSize: MAX_DOCUMENT_BYTES,
  storageEngines: ['sqlite'],
  ok: 1
})

export const hostInfo: Handler = ({ engine }) => ({
  system: { currentTime: new Date(engine.now()), hostname: hostname() },
  os: { type: process.platform },
  ok: 1
})
