import { deviceIdOfClient } from '@batti/contracts'
import type { Clock } from '@batti/kit/clock'
import type { EventBus } from '../../platform/events.ts'
import type { BoardRecords } from './board-records.ts'
import type { FleetBook } from './fleet-book.ts'
import { momentMs } from './load-boards.ts'

/** Records what others did with boards: owners, staff, updates, and strangers who were refused under a board's name. */
export function recordHappenings({
  events,
  records,
  book,
  clock
}: {
  events: EventBus
  records: Pick<BoardRecords, 'happened'>
  book: Pick<FleetBook, 'get'>
  clock: Pick<Clock, 'now'>
}): void {
  const happenedNow = (deviceId: string, kind: 'claimed' | 'released', detail: string | null = null): void => {
    const at = clock.now()
    records.happened({ deviceId, kind, at, key: String(Math.floor(at / momentMs)), detail })
  }
  events.on('device-claimed', ({ deviceId }) => happenedNow(deviceId, 'claimed'))
  events.on('device-released', ({ deviceId, reason }) => happenedNow(deviceId, 'released', reason))
  events.on('board-set', ({ deviceId, kind, detail }) => {
    const at = clock.now()
    records.happened({ deviceId, kind, at, key: String(at), detail })
  })
  // Records the outcome of the update, not the board's report: it is done only once it has proved stable.
  events.on('firmware-notice', ({ deviceId, event }) => {
    if (!['done', 'failed', 'rolled-back', 'download'].includes(event.phase)) return
    const at = clock.now()
    const detail = event.error === undefined ? event.phase : `${event.phase}: ${event.error}`
    records.happened({ deviceId, kind: 'firmware', at, detail, key: `${event.id}:${event.phase}` })
  })
  events.on('refused', ({ method, url, userAgent }) => {
    const deviceId = method === 'MQTT' && url === 'CONNECT' ? deviceIdOfClient(userAgent) : null
    if (deviceId === null || book.get(deviceId) === undefined) return
    const at = clock.now()
    records.happened({ deviceId, kind: 'refused', at, detail: 'CONNECT refused', key: String(Math.floor(at / 1000)) })
  })
}
