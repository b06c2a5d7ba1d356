import type { AttentionRecord, DeviceEventKind, DeviceEventRecord, DeviceHistory, HealthReason } from '@batti/contracts'
import { dayMs, hourMs } from '@batti/kit/durations'
import { Types, type Model } from 'mongoose'
import type { ActionLogDocument } from '../../boards/reports/action-log.model.ts'
import type { CommandDocument } from '../../boards/commands/command.model.ts'
import type { DeviceDocument } from '../../boards/registry/device.model.ts'
import type { Page } from '../../platform/paging.ts'
import { createPresenceReader } from './board-presence.ts'
import { heaviestOf } from './fleet-book.ts'
import type { FleetModels } from './fleet.models.ts'
import { isAhead } from './judge-board.ts'
import { commandRows, signalRows } from './history-rows.ts'

const commandsMax = 500

/** Reads what was recorded of boards, for the pages that show it. */
export function createBoardReader(
  models: FleetModels & {
    devices: Model<DeviceDocument>
    commands: Model<CommandDocument>
    actionLogs: Model<ActionLogDocument>
  }
) {
  const { devices, events, signals, commands, actionLogs } = models
  const presence = createPresenceReader(models)

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
        const at = device.healthSince?.[shown] ?? (shown === 'silent' ? device.onlineChangedAt : null) ?? null
        const isKnown = at !== null && !isAhead(new Date(at).getTime(), now)
        return {
          device,
          reason: shown,
          since: isKnown ? new Date(at).toISOString() : null,
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

    /** `running`: the signal of the current, incomplete interval. */
    async history(
      device: DeviceDocument,
      { since, now, running }: { since: number; now: number; running: { at: number; value: number } | null }
    ): Promise<DeviceHistory> {
      const deviceId = device._id
      const from = new Date(since)
      const until = new Date(now)
      const [online, boots, slots, unanswered, confirmed] = await Promise.all([
        presence([device], since, now),
        events
          .find({ deviceId, kind: 'boot', at: { $gte: from, $lte: until } })
          .sort({ at: 1 })
          .lean(),
        signals
          .find({ deviceId, at: { $gt: new Date(since - hourMs), $lte: until } })
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
      return {
        presence: online.get(String(deviceId)) ?? [],
        rssi: signalRows(slots, running, since),
        boots: boots.map(({ at }) => at.toISOString()),
        commands: commandRows(unanswered, confirmed)
      }
    }
  }
}
export type BoardReader = ReturnType<typeof createBoardReader>
