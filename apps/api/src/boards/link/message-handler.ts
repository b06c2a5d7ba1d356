import { firmwareProgress, parseUpTopic } from '@batti/contracts'
import { parseJson } from '@batti/kit/json'
import type { Logger } from 'pino'
import type { EventBus } from '../../platform/events.ts'
import type { Metrics } from '../../platform/http/metrics.ts'
import type { DeviceRegistry } from '../registry/device-registry.ts'
import type { LiveDevice } from '../registry/live-device.ts'
import type { BoardLimits } from './board-limits.ts'
import type { BoardPresence } from './board-presence.ts'

type UpName = NonNullable<ReturnType<typeof parseUpTopic>>['name']

/** Handles any message from a board: looks up the board, applies limits, parses, and dispatches by topic. */
export function createMessageHandler(deps: {
  registry: Pick<DeviceRegistry, 'peek' | 'find'>
  limits: Pick<BoardLimits, 'mayReport' | 'mayTellStatus' | 'mayTellProgress'>
  presence: Pick<BoardPresence, 'takeStatus' | 'setOnline' | 'speaks' | 'heard'>
  /** Returns false for a malformed payload. */
  takeReport(device: LiveDevice, json: unknown): boolean
  /** Called for a report that is left to be repeated. */
  noteDeferred(deviceId: string): void
  events: EventBus
  metrics: Pick<Metrics, 'reports'>
  log: Logger
  wasWrong(deviceId: string): void
  /** Called for a message of a board that was deleted. */
  isUnknown(deviceId: string): void
}) {
  const { registry, limits, presence, takeReport, events, metrics, log } = deps
  const maySay: Record<UpName, (device: LiveDevice) => boolean> = {
    'update-from-device': limits.mayReport,
    status: limits.mayTellStatus,
    // Limited after parsing, because the limit depends on the phase.
    'firmware-progress': () => true
  }

  function takeProgress(device: LiveDevice, json: unknown): boolean {
    const { success, data: progress } = firmwareProgress.safeParse(json)
    if (!success) return false
    if (!limits.mayTellProgress(device.id, progress.phase === 'download')) {
      metrics.reports.inc({ outcome: 'limited' })
      return true
    }
    const { id: deviceId, mac: deviceMac, userId, bootId } = device
    events.emit('firmware-progressed', { deviceId, deviceMac, userId, bootId, progress })
    return true
  }

  function isRight(device: LiveDevice, name: UpName, json: unknown): boolean {
    switch (name) {
      case 'update-from-device':
        return takeReport(device, json)
      case 'status':
        return presence.takeStatus(device, json)
      case 'firmware-progress':
        return takeProgress(device, json)
    }
  }

  function take(device: LiveDevice, name: UpName, payload: Buffer): void {
    const isReport = name === 'update-from-device'
    if (!maySay[name](device)) {
      metrics.reports.inc({ outcome: 'limited' })
      if (isReport) deps.noteDeferred(device.id)
      return
    }
    presence.speaks(device)
    if (isRight(device, name, parseJson(payload.toString('utf8')))) {
      presence.heard(device)
      // A report is a sign of life of a board whose silence was taken for absence.
      if (isReport && !device.isOnline) presence.setOnline(device, true)
      return
    }
    if (!isReport) metrics.reports.inc({ outcome: 'rejected' })
    deps.wasWrong(device.id)
  }

  return function takeMessage(topic: string, payload: Buffer): void {
    const parsed = parseUpTopic(topic)
    if (parsed === null) return
    const device = registry.peek(parsed.deviceId)
    if (device !== undefined) {
      take(device, parsed.name, payload)
      return
    }
    registry
      .find(parsed.deviceId)
      .then((loaded) => {
        if (loaded === null) deps.isUnknown(parsed.deviceId)
        else take(loaded, parsed.name, payload)
      })
      .catch((error: unknown) => log.error({ err: error, topic }, 'a message of a board could not be read'))
  }
}
