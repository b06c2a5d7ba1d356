import { createAdapter } from '@socket.io/mongo-adapter'
import type { Connection } from 'mongoose'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Cluster } from '../platform/cluster/cluster.ts'
import type { EventBus } from '../platform/events.ts'
import type { BattiServer } from '../platform/sockets.ts'
import { shareEvents } from './shared-events.ts'

const collectionName = 'socketEvents'
/** Seconds after which MongoDB deletes an event: longer than any instance needs to receive it. */
const keepS = 600

/** Connects a few instances through MongoDB's change streams. */
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
  log.info('connected to other api instances through MongoDB')
}

const domainEvent = z.object({ name: z.string(), payload: z.unknown() })

/** Connects instances through Redis. */
export function joinThroughRedis({ cluster, events }: { cluster: Cluster; events: EventBus }): void {
  const hear = shareEvents(events, (name, payload) => cluster.publish('domain-event', { name, payload }))
  cluster.on('domain-event', domainEvent, ({ name, payload }) => hear(name, payload))
}
