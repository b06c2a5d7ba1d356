import type { AttentionRecord, DeviceEventKind, DeviceEventRecord, DeviceHistory, HealthReason } from '@batti/contracts'
import { Types, type Model } from 'mongoose'
import type { ActionLogDocument } from '../../boards/reports/action-log.model.ts'
import type { CommandDocument } from '../../boards/commands/command.model.ts'
import type { DeviceDocument } from '../../boards/registry/device.model.ts'
import type { Page } from '../../platform/paging.ts'
import { heaviestOf } from './fleet-book.ts'
import type { FleetModels } from './fleet.models.ts'

const dayMs = 86_400_000
const hourMs = 3_600_000
const slotMs = 600_000
const commandsMax = 500
const presenceKinds: DeviceEventKind[] = ['online', 'offline']

type Span = [string, string]
type Change = { at: number; isOnline: boolean }
type PresentBoard = Pick<DeviceDocument, '_id' | 'isOnline' | 'onlineChangedAt'>

/** What was recorded of boards, for the pages that show it. */
export function createBoardReader(
  models: FleetModels & {
    devices: Model<DeviceDocument>
    commands: Model<CommandDocument>
    actionLogs: Model<ActionLogDocument>
  }
) {
  const { devices, events, signals, commands, actionLogs } = models

  /**
   * What stood before the first change: its opposite, unless a board that was online took its own place. Only then is the
   * change before that moment looked up.
   */
  async function stoodOnline(board: PresentBoard, first: Change | undefined, since: number): Promise<boolean> {
    if (first === undefined) return board.isOnline
    const hasStayed = board.isOnline && (board.onlineChangedAt?.getTime() ?? Infinity) <= since
    if (!first.isOnline || hasStayed) return true
    const before = { deviceId: board._id, kind: { $in: presenceKinds }, at: { $lt: new Date(since) } }
    return (await events.findOne(before).sort({ at: -1 }).lean())?.kind === 'online'
  }

  /** When each of these boards was online since then. */
  async function presence(boards: readonly PresentBoard[], since: number, now: number): Promise<Map<string, Span[]>> {
    const rows = await events
      .find({
        deviceId: { $in: boards.map(({ _id }) => _id) },
        kind: { $in: presenceKinds },
        at: { $gte: new Date(since) }
      })
      .sort({ at: 1 })
      .lean()
    const byBoard = Map.groupBy(rows, ({ deviceId }) => String(deviceId))
    const spans = boards.map(async (board): Promise<[string, Span[]]> => {
      const found = byBoard.get(String(board._id)) ?? []
      const changes = found.map(({ at, kind }) => ({ at: at.getTime(), isOnline: kind === 'online' }))
      const wasOnline = await stoodOnline(board, changes[0], since)
      return [String(board._id), spansOf(changes, { since, now, wasOnline })]
    })
    return new Map(await Promise.all(spans))
  }

  return {
    async attention(
      { reason, limit, page }: { reason?: HealthReason[] | undefined; limit: number; page: number },
      now: number
    ): Promise<(Omit<AttentionRecord, 'device'> & { device: DeviceDocument })[]> {
      const found = await devices
        .find(reason === undefined ? { healthScore: { $lt: 100 } } : { healthReasons: { $in: reason } })
        .sort({ healthScore: 1, _id: 1 })
        .skip((page - 1) * limit)
        .limit(limit)
        .lean<DeviceDocument[]>()
      const online = await presence(found, now - dayMs, now)
      return found.flatMap((device) => {
        const shown = heaviestOf(device.healthReasons.filter((each) => reason?.includes(each) ?? true))
        if (shown === undefined) return []
        const at = device.healthSince?.[shown] ?? (shown === 'silent' ? device.onlineChangedAt : null)
        return {
          device,
          reason: shown,
          since: at === null || at === undefined ? null : new Date(at).toISOString(),
          online24h: online.get(String(device._id)) ?? []
        }
      })
    },

    async events(
      { deviceId, kind, since }: { deviceId: string; kind?: DeviceEventKind | undefined; since: Date | null },
      page: Page
    ): Promise<{ events: DeviceEventRecord[]; total: number }> {
      const condition = {
        deviceId: new Types.ObjectId(deviceId),
        ...(kind === undefined ? {} : { kind }),
        ...(since === null ? {} : { at: { $gte: since } })
      }
      const [rows, total] = await Promise.all([
        events.find(condition).sort({ at: -1, _id: -1 }).skip(page.skip).limit(page.limit).lean(),
        events.countDocuments(condition)
      ])
      return { events: rows.map(({ at, kind: what, detail }) => ({ at: at.toISOString(), kind: what, detail })), total }
    },

    /** `running`: the signal that is still gathered. */
    async history(
      device: DeviceDocument,
      { since, now, running }: { since: number; now: number; running: { at: number; value: number } | null }
    ): Promise<DeviceHistory> {
      const deviceId = device._id
      const from = new Date(since)
      const [online, boots, slots, unanswered, confirmed] = await Promise.all([
        presence([device], since, now),
        events
          .find({ deviceId, kind: 'boot', at: { $gte: from } })
          .sort({ at: 1 })
          .lean(),
        signals
          .find({ deviceId, at: { $gt: new Date(since - hourMs) } })
          .sort({ at: 1 })
          .lean(),
        commands
          .find({ deviceId, sentAt: { $gte: from }, state: { $in: ['timeout', 'expired', 'failed'] } })
          .sort({ sentAt: -1 })
          .limit(commandsMax)
          .lean<CommandDocument[]>(),
        actionLogs
          .find({ deviceId, createdAt: { $gte: from }, commandId: { $ne: null } })
          .sort({ createdAt: -1, _id: -1 })
          .limit(commandsMax)
          .lean<ActionLogDocument[]>()
      ])
      const rows = [
        ...unanswered.map(({ sentAt, endedAt, state, cause }) => ({
          at: sentAt.toISOString(),
          result: state === 'failed' ? ('rejected' as const) : ('expired' as const),
          ms: state === 'failed' && endedAt !== undefined ? endedAt.getTime() - sentAt.getTime() : null,
          by: cause.userName ?? null
        })),
        // One command may have switched several outlets.
        ...[...new Map(confirmed.map((row) => [row.commandId, row])).values()].map((row) => ({
          at: row.createdAt.toISOString(),
          result: 'confirmed' as const,
          ms: row.tookMs ?? null,
          by: row.userName === '' ? null : row.userName
        }))
      ]
      const signalAt = new Map(
        slots.flatMap(({ at, slots: values }) =>
          Object.entries(values ?? {}).map(([slot, value]) => [at.getTime() + Number(slot) * slotMs, value] as const)
        )
      )
      if (running !== null) signalAt.set(running.at, running.value)
      return {
        presence: online.get(String(deviceId)) ?? [],
        rssi: [...signalAt]
          .filter(([at]) => at + slotMs > since)
          .map(([at, value]) => ({ at: new Date(Math.max(at, since)).toISOString(), value })),
        boots: boots.map(({ at }) => at.toISOString()),
        commands: rows.toSorted((a, b) => (a.at < b.at ? 1 : -1))
      }
    }
  }
}

/** From changes to spans; `wasOnline` before the first of them. */
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
