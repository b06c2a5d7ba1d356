import { MongoError, unsupported } from '../errors.ts'
import { ENGINE_NAME, SERVER_VERSION } from '../version.ts'
import type { Handler } from './context.ts'

const adminOnly =
  (name: string, handler: Handler): Handler =>
  (context) => {
    if (context.database !== 'admin') throw new MongoError(13, `${name} may only be run against the admin database.`)
    return handler(context)
  }

export const serverStatus: Handler = ({ engine }) => {
  const memory = process.memoryUsage()
  return {
    host: engine.set.host,
    version: SERVER_VERSION,
    process: ENGINE_NAME,
    pid: process.pid,
    uptime: engine.uptimeMs() / 1000,
    uptimeMillis: Math.round(engine.uptimeMs()),
    localTime: new Date(engine.now()),
    connections: { current: engine.connections(), available: 1000 - engine.connections() },
    mem: { bits: 64, resident: Math.round(memory.rss / 1024 / 1024), supported: true },
    metrics: { cursor: { open: { total: engine.cursors.count() } } },
    transactions: { currentOpen: engine.sessions.openTransactions() },
    storageEngine: { name: 'sqlite', supportsCommittedReads: true, persistent: true },
    repl: { setName: engine.set.name, isWritablePrimary: true, hosts: [engine.set.host], me: engine.set.host },
    ok: 1
  }
}

const member = (engine: Parameters<Handler>[0]['engine']): object => ({
  _id: 0,
  name: engine.set.host,
  health: 1,
  state: 1,
  stateStr: 'PRIMARY',
  self: true,
  uptime: Math.round(engine.uptimeMs() / 1000)
})

/** The minimum of replica set administration for tools that start a set: this one is always ready. */
export const replSetGetStatus: Handler = adminOnly('replSetGetStatus', ({ engine }) => ({
  set: engine.set.name,
  date: new Date(engine.now()),
  myState: 1,
  term: 1,
  members: [member(engine)],
  ok: 1
}))
export const replSetInitiate: Handler = adminOnly('replSetInitiate', () => ({ ok: 1 }))
export const replSetGetConfig: Handler = adminOnly('replSetGetConfig', ({ engine }) => ({
  config: {
    _id: engine.set.name,
    version: 1,
    term: 1,
    members: [{ _id: 0, host: engine.set.host, priority: 1, votes: 1 }]
  },
  ok: 1
}))

export const shutdown: Handler = adminOnly('shutdown', ({ engine }) => {
  engine.requestStop()
  return { ok: 1 }
})

/** There is no authentication: only the owner of the data folder, or a local process, can reach the server. */
export const connectionStatus: Handler = () => ({
  authInfo: { authenticatedUsers: [], authenticatedUserRoles: [] },
  ok: 1
})

const parameters = {
  featureCompatibilityVersion: { version: '8.0' },
  cursorTimeoutMillis: 600_000,
  transactionLifetimeLimitSeconds: 60
}

export const getParameter: Handler = ({ command }) => {
  if (command['getParameter'] === '*') return { ...parameters, ok: 1 }
  const known = Object.entries(parameters).filter(([name]) => command[name] !== undefined)
  if (known.length === 0) throw new MongoError(72, 'no option found to get')
  return { ...Object.fromEntries(known), ok: 1 }
}

export const refuse =
  (name: string): Handler =>
  () => {
    throw unsupported(`the command ${name}`)
  }
