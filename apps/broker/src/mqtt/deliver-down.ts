import { deviceClientId, downFilter, parseDownTopic } from '@batti/contracts'
import { generate } from 'mqtt-packet'
import type { Tally } from '../metrics.ts'
import type { Sessions } from './sessions.ts'

/**
 * Returns a function that writes a message of a board's topic straight to the board's connection, at QoS 0. Nobody else may
 * subscribe to it, so aedes, which searches all subscriptions and takes several turns of the event loop, has nothing to add. It
 * returns false for a topic that belongs to no board.
 */
export function createDownDelivery({ sessions, tally }: { sessions: Pick<Sessions, 'get'>; tally: Tally }) {
  return (topic: string, payload: string): boolean => {
    const deviceId = parseDownTopic(topic)?.deviceId
    if (deviceId === undefined) return false
    const session = sessions.get(deviceClientId(deviceId))
    if (session === undefined || session.stream.destroyed) return true
    const isSubscribed = session.filters.has(downFilter(deviceId)) || session.filters.has(topic)
    if (!isSubscribed || !session.acl.receive(topic)) return true
    tally.delivered += 1
    session.stream.write(generate({ cmd: 'publish', topic, payload, qos: 0, retain: false, dup: false }))
    return true
  }
}
