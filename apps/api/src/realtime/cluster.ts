import { createAdapter } from '@socket.io/mongo-adapter'
import type { Connection } from 'mongoose'
import type { Logger } from 'pino'
import type { DomainEvents, EventBus, EventName } from '../platform/events.ts'
import type { BattiServer } from '../platform/sockets.ts'

const collectionName = 'socketEvents'
/** Longer than any instance needs to hear of an event; then MongoDB forgets it. */
const keepS = 600

/** What every instance must hear of, because it ends or changes what their memory still grants. */
const sharedEvents = [
  'account-changed',
  'address-blocked',
  'device-added',
  'device-claimed',
  'device-edited',
  'device-released',
  'switch-changed',
  'switch-renamed'
] as const satisfies readonly EventName[]
type SharedEvent = (typeof sharedEvents)[number]

/** Several api instances, told of each other through MongoDB's change streams: rooms, disconnections and domain events. */
export async function joinCluster(options: {
  io: BattiServer
  connection: Connection
  events: EventBus
  log: Logger
}): Promise<void> {
  const { io, connection, events, log } = options
  const collection = connection.collection(collectionName)
  await collection.createIndex({ createdAt: 1 }, { expireAfterSeconds: keepS })
  io.adapter(createAdapter(collection, { addCreatedAtField: true }))

  // An event that came from elsewhere is told here and not told back.
  const fromElsewhere = new Set<object>()
  for (const name of sharedEvents) {
    events.on(name, (payload) => {
      if (!fromElsewhere.delete(payload)) io.serverSideEmit('domain-event', name, payload)
    })
  }
  io.on('domain-event', (name: SharedEvent, payload: DomainEvents[SharedEvent]) => {
    fromElsewhere.add(payload)
    events.emit(name, payload)
  })
  log.info('told of other api instances through MongoDB')
}
