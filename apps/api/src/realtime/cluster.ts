import { createAdapter } from '@socket.io/mongo-adapter'
import type { Connection } from 'mongoose'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Cluster } from '../platform/cluster/cluster.ts'
import type { EventBus } from '../platform/events.ts'
import type { BattiServer } from '../platform/sockets.ts'
import { shareEvents } from './shared-events.ts'

const collectionName = 'socketEvents'
/** Longer than any instance needs to hear of an event; then MongoDB forgets it. */
const keepS = 600

/** A few instances, told of each other through MongoDB's change streams. */
export async function joinThroughMongo(options: {
  io: BattiServer
  connection: Connection
  events: EventBus
  log: Logger
}): Promise<void> {
  const { io, connection, events, log } = options
  const collection = connection.collection(collectionName)
  await collection.createIndex({ createdAt: 1 }, { expireAfterSeconds: keepS })
  io.adapter(createAdapter(collection, { addCreatedAtField: true }))
  const hear = shareEvents(events, (name, payload) => void io.serverSideEmit('domain-event', name, payload))
  io.on('domain-event', hear)
  log.info('told of other api instances through MongoDB')
}

const domainEvent = z.object({ name: z.string(), payload: z.unknown() })

/** Instances that tell each other through Redis. */
export function joinThroughRedis({ cluster, events }: { cluster: Cluster; events: EventBus }): void {
  const hear = shareEvents(events, (name, payload) => cluster.publish('domain-event', { name, payload }))
  cluster.on('domain-event', domainEvent, ({ name, payload }) => hear(name, payload))
}
