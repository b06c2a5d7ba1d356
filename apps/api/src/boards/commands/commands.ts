import {
  deviceResponseTimeoutMs,
  type ChangeCause,
  type DeviceReport,
  type SwitchSetting,
  type SwitchUpdatePayload
} from '@batti/contracts'
import { Types } from 'mongoose'
import type { Clock } from '@batti/kit/clock'
import { AppError } from '../../platform/app-error.ts'
import {
  displayName,
  type CommandOutcome,
  type CommandRequest,
  type CommandResult,
  type SentCommand
} from '../registry/live-device.ts'
import type { DeviceStore } from '../registry/device-store.ts'
import { bySchedule } from '../reports/report-cause.ts'
import { createEndedCauses } from './ended-causes.ts'

interface Pending {
  id: string
  deviceId: string
  cause: ChangeCause
  set: SwitchSetting[]
  isRepeated: boolean
  /** When it was sent and when it times out, on the monotonic clock. */
  sentAt: number
  endsAt: number
  end(outcome: CommandOutcome): void
}

export interface CommandsOptions {
  clock: Clock
  /** How long a board may take to answer a command, for tests on a busy machine. */
  boardDeadlineMs?: number | undefined
  store: Pick<DeviceStore, 'addCommand' | 'stored'>
  /** Publishes a command. @throws AppError UNAVAILABLE when the broker cannot be reached. */
  publish(deviceId: string, command: SwitchUpdatePayload): void
  /** Unique to this process, so that two api instances never create the same id. */
  idPrefix: string
  onEnd?(deviceId: string, result: CommandResult, tookMs: number): void
  /** Called when a command was requested for an offline board. */
  onRefused?(deviceId: string): void
}

/**
 * Tracks pending commands and their outcomes. A command carries absolute values and an expiry. It is never queued for an
 * offline board, and only the board's own report confirms it.
 */
export function createCommands(options: CommandsOptions) {
  const { clock, store, publish, idPrefix, onEnd, onRefused, boardDeadlineMs = deviceResponseTimeoutMs } = options
  const pending = new Map<string, Pending>()
  const ended = createEndedCauses(clock)
  let count = 0

  /** Ids can be guessed from those of one's own commands, so a board may name a command to another board. */
  function pendingOf(deviceId: string, commandId: string | undefined): Pending | undefined {
    const command = commandId === undefined ? undefined : pending.get(commandId)
    return command?.deviceId === deviceId ? command : undefined
  }

  function finish(command: Pending, result: CommandResult, reason?: string): void {
    pending.delete(command.id)
    store.addCommand({
      kind: 'end',
      id: command.id,
      state: result === 'gone' ? 'failed' : result,
      endedAt: new Date(clock.now()),
      ...(reason === undefined ? {} : { reason })
    })
    if (result === 'timeout') ended.keep(command)
    else ended.noteAnswered(command)
    onEnd?.(command.deviceId, result, clock.monotonic() - command.sentAt)
    let stored: Promise<void> | undefined
    command.end({
      result,
      ...(reason === undefined ? {} : { reason }),
      get stored() {
        return (stored ??= store.stored())
      }
    })
  }

  return {
    /**
     * Sends absolute values to a board that is online.
     * @throws AppError DEVICE_OFFLINE at once when it is not; UNAVAILABLE when the broker cannot be reached.
     */
    send({ device, set }: CommandRequest, cause: ChangeCause): SentCommand {
      if (!device.isOnline) {
        onRefused?.(device.id)
        throw new AppError('DEVICE_OFFLINE', `${displayName(device)} is offline. Check its power and Wi-Fi.`)
      }
      const now = clock.now()
      const expiresAt = now + boardDeadlineMs
      const id = `${idPrefix}${(count++).toString(36)}${scheduleMark(cause)}`
      publish(device.id, { id, set, expiresAt })
      store.addCommand({
        kind: 'insert',
        row: {
          _id: id,
          deviceId: new Types.ObjectId(device.id),
          userId: cause.userId === undefined ? null : new Types.ObjectId(cause.userId),
          set,
          cause,
          state: 'sent',
          sentAt: new Date(now),
          expiresAt: new Date(expiresAt)
        }
      })
      const { promise, resolve } = Promise.withResolvers<CommandOutcome>()
      const sentAt = clock.monotonic()
      const endsAt = sentAt + boardDeadlineMs
      pending.set(id, { id, deviceId: device.id, cause, set, isRepeated: false, sentAt, endsAt, end: resolve })
      return { id, expiresAt, ended: promise }
    },

    /** Returns the cause of a command that was sent to this board, while it is remembered; after that it is in the log. */
    causeOf: (deviceId: string, commandId: string): ChangeCause | undefined =>
      pendingOf(deviceId, commandId)?.cause ?? ended.find(deviceId, commandId) ?? markedCause(commandId),

    /** Keeps the cause of a command whose answer the board has to repeat: newer ones may be answered meanwhile. */
    keepCause: (deviceId: string, id: string, cause: ChangeCause): void => ended.keep({ id, deviceId, cause }),

    /** Returns how long a command to this board has been pending, in milliseconds; null for one that is not pending. */
    tookMsOf(deviceId: string, commandId: string | undefined): number | null {
      const command = pendingOf(deviceId, commandId)
      return command === undefined ? null : Math.round(clock.monotonic() - command.sentAt)
    },

    /**
     * Returns what publishes the command once more that a report answers, for the time that it has left; null if it must not be
     * repeated. A board that finds it expired while it is pending has learnt the time before our clock was set back; the
     * acknowledgement of its answer tells it the new time.
     */
    repeatOf(deviceId: string, { commandId, result }: Pick<DeviceReport, 'commandId' | 'result'>): (() => void) | null {
      const command = result === 'expired' ? pendingOf(deviceId, commandId) : undefined
      if (command === undefined || command.isRepeated || command.endsAt <= clock.monotonic()) return null
      command.isRepeated = true
      const { id, set, endsAt } = command
      return () => {
        if (!pending.has(id)) return
        try {
          publish(deviceId, { id, set, expiresAt: Math.round(clock.now() + endsAt - clock.monotonic()) })
        } catch {
          // The broker is away: the command ends with its time.
        }
      }
    },

    /** Ends the command that a report answers. A report that names another board's command ends nothing. */
    settle(deviceId: string, report: Pick<DeviceReport, 'commandId' | 'result' | 'reason'>): void {
      const command = pendingOf(deviceId, report.commandId)
      if (command === undefined) return
      if (report.result === 'rejected') finish(command, 'failed', report.reason ?? 'the board refused')
      else if (report.result === 'expired') finish(command, 'expired')
      else finish(command, 'confirmed')
    },

    /** Ends commands that have timed out. All wait equally long, so the oldest come first. */
    sweep(): void {
      const now = clock.monotonic()
      for (const command of pending.values()) {
        if (command.endsAt > now) break
        finish(command, 'timeout')
      }
      ended.sweep()
    },

    /** Forgets a board that was removed for good. */
    forget(deviceId: string): void {
      // Callers that still wait are answered at once.
      for (const command of pending.values()) if (command.deviceId === deviceId) finish(command, 'gone')
      ended.forget(deviceId)
    },

    /** Anonymizes the commands of a deleted account: reports still to come no longer say who caused them. */
    forgetPerson(userId: string): void {
      for (const command of [...pending.values(), ...ended.all()]) {
        const { userId: causedBy, userName: _name, ...cause } = command.cause
        if (causedBy === userId) command.cause = cause
      }
    },

    pendingCount: (): number => pending.size
  }
}
export type Commands = ReturnType<typeof createCommands>

/**
 * The id of a schedule's command ends in that of the schedule, so that its answer is understood by an api that did not send it, even
 * if the one that did was killed before it stored anything.
 */
const scheduleMark = ({ scheduleId }: ChangeCause): string => (scheduleId === undefined ? '' : `:${scheduleId}`)

function markedCause(commandId: string): ChangeCause | undefined {
  const scheduleId = /:([0-9a-f]{24})$/.exec(commandId)?.[1]
  return scheduleId === undefined ? undefined : bySchedule(scheduleId)
}
