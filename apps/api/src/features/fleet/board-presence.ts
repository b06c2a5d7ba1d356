import type { DeviceEventKind } from '@batti/contracts'
import type { DeviceDocument } from '../../boards/registry/device.model.ts'
import { eventsOfBoard, type FleetModels } from './fleet.models.ts'

const presenceKinds: DeviceEventKind[] = ['online', 'offline']

type Span = [string, string]
interface Change {
  at: number
  isOnline: boolean
}
type PresentBoard = Pick<DeviceDocument, '_id' | 'isOnline' | 'onlineChangedAt'>

/** Returns, by board, when each was online from `since` to `now`. */
export function createPresenceReader({ events }: Pick<FleetModels, 'events'>) {
  /**
   * Returns the state before the first change: its opposite, unless an online board replaced its own connection. Only
   * then is the previous change looked up.
   */
  async function onlineBefore(board: PresentBoard, first: Change | undefined, since: number): Promise<boolean> {
    if (first === undefined) return board.isOnline
    const hasStayed = board.isOnline && (board.onlineChangedAt?.getTime() ?? Infinity) <= since
    if (!first.isOnline || hasStayed) return true
    const before = { deviceId: board._id, kind: { $in: presenceKinds }, at: { $lt: new Date(since) } }
    return (await events.findOne(before).sort({ at: -1 }).lean())?.kind === 'online'
  }

  return async function presence(
    boards: readonly PresentBoard[],
    since: number,
    now: number
  ): Promise<Map<string, Span[]>> {
    const rows = await events
      .find({
        deviceId: { $in: boards.map(({ _id }) => _id) },
        kind: { $in: presenceKinds },
        // A clock that was ahead may have recorded later ones.
        at: { $gte: new Date(since), $lte: new Date(now) }
      })
      .sort({ at: 1 })
      // By its kinds, a query would read the changes of all boards.
      .hint(eventsOfBoard)
      .lean()
    const byBoard = Map.groupBy(rows, ({ deviceId }) => String(deviceId))
    const spans = boards.map(async (board): Promise<[string, Span[]]> => {
      const found = byBoard.get(String(board._id)) ?? []
      const changes = found.map(({ at, kind }) => ({ at: at.getTime(), isOnline: kind === 'online' }))
      const wasOnline = await onlineBefore(board, changes[0], since)
      return [String(board._id), spansOf(changes, { since, now, wasOnline })]
    })
    return new Map(await Promise.all(spans))
  }
}

/** Converts changes to spans; `wasOnline` is the state before the first of them. */
function spansOf(
  changes: readonly Change[],
  { since, now, wasOnline }: { since: number; now: number; wasOnline: boolean }
): Span[] {
  const spans: Span[] = []
  let openedAt = wasOnline ? since : null
  for (const change of changes) {
    if (change.isOnline) openedAt ??= change.at
    else if (openedAt !== null) {
      spans.push([new Date(openedAt).toISOString(), new Date(change.at).toISOString()])
      openedAt = null
    }
  }
  if (openedAt !== null) spans.push([new Date(openedAt).toISOString(), new Date(now).toISOString()])
  return spans
}
