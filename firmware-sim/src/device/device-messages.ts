import {
  downPayloads,
  type AckPayload,
  type ConfigUpdatePayload,
  type DownTopic,
  type SchedulesPayload,
  type SwitchUpdatePayload
} from '@batti/contracts'
import { X509Certificate } from 'node:crypto'
import type { ZodType } from 'zod'
import { decideCommand } from './commands.ts'
import { mergeConfig, type AnsweredCommand, type DeviceEffect, type DeviceState, type Step } from './device-state.ts'
import { report, revisions, snapshot } from './device-reports.ts'
import { acknowledge, addResync, firstSentAt } from './report-queue.ts'
import { learn, offsetOf, serverNow } from './server-clock.ts'
import { isZone } from './timetable.ts'

const answersKept = 32

/** Handles one message from the server. A message that does not parse changes nothing and returns the effect `ignored`. */
export function received(state: DeviceState, topic: DownTopic, payload: unknown, now: number): Step {
  const read = <Message>(
    schema: ZodType<Message>,
    act: (state: DeviceState, message: Message, now: number) => Step
  ): Step => {
    const parsed = schema.safeParse(payload)
    if (parsed.success) return act(state, parsed.data, now)
    return { state, effects: [{ kind: 'ignored', topic, reason: parsed.error.issues[0]?.message ?? 'wrong shape' }] }
  }
  switch (topic) {
    case 'switch-update':
      return read(downPayloads[topic], commanded)
    case 'config-update':
      return read(downPayloads[topic], configured)
    case 'schedules':
      return read(downPayloads[topic], scheduled)
    case 'firmware-update':
      return read(downPayloads[topic], (same, update) => ({ state: same, effects: [{ kind: 'download', update }] }))
    case 'ack':
      return read(downPayloads[topic], acknowledged)
  }
}

function commanded(state: DeviceState, command: SwitchUpdatePayload, now: number): Step {
  // One that had expired may come again with a later expiry.
  const before = state.answered.find(({ id, result }) => id === command.id && result !== 'expired')
  if (before !== undefined) return reply(state, before, [], now)
  const outcome = decideCommand(command, state.outlets, serverNow(state.clock, now))
  const given: AnsweredCommand = {
    id: command.id,
    result: outcome.result,
    ...(outcome.result === 'applied' ? {} : { reason: outcome.reason })
  }
  const answered = [...state.answered, given].slice(-answersKept)
  const next = { ...state, answered, outlets: outcome.result === 'applied' ? outcome.outlets : state.outlets }
  return reply(next, given, outcome.result === 'applied' ? outcome.changed : [], now)
}

function reply(state: DeviceState, { id, result, reason }: AnsweredCommand, changed: number[], now: number): Step {
  const why = reason === undefined ? {} : { reason }
  return {
    state: report(state, { cause: 'command', commandId: id, result, ...why, changed }, now),
    effects: changed.length > 0 ? [{ kind: 'persist', urgent: false }] : []
  }
}

function configured(state: DeviceState, update: ConfigUpdatePayload, now: number): Step {
  if (update.rev < state.config.rev) return confirmed(state, now)
  if (update.timezone !== undefined && !isZone(update.timezone)) return rejected(state, unknownZone, now)
  const caPem = update.mqtt?.caPem
  if (caPem !== undefined && !isCertificate(caPem)) return rejected(state, 'the CA is no certificate', now)
  const config = mergeConfig(state.config, update)
  const next = { ...state, config }
  const { state: reported } = confirmed(next, now)
  const kept: DeviceEffect[] = caPem === undefined ? [] : [{ kind: 'trust', caPem }]
  kept.push({ kind: 'persist', urgent: true })
  return { state: reported, effects: connectsElsewhere(state, next) ? [...kept, { kind: 'reconnect' }] : kept }
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).ca
  } catch {
    return false
  }
}

function connectsElsewhere({ config: before }: DeviceState, { config: after }: DeviceState): boolean {
  return (
    before.mqtt.host !== after.mqtt.host ||
    before.mqtt.port !== after.mqtt.port ||
    before.wifi.ssid !== after.wifi.ssid ||
    before.wifi.password !== after.wifi.password
  )
}

function scheduled(state: DeviceState, timetable: SchedulesPayload, now: number): Step {
  if (state.timetable !== null && timetable.rev < state.timetable.rev) return confirmed(state, now)
  if (!isZone(timetable.timezone)) return rejected(state, unknownZone, now)
  return { ...confirmed({ ...state, timetable }, now), effects: [{ kind: 'persist', urgent: true }] }
}

/** Reports the revisions in force: after a change, and when an older one arrived late. */
function confirmed(state: DeviceState, now: number): Step {
  return { state: report(state, { cause: 'config', ...revisions(state) }, now), effects: [] }
}

const unknownZone = 'this board does not know that time zone'

function rejected(state: DeviceState, reason: string, now: number): Step {
  return {
    state: report(state, { cause: 'config', result: 'rejected', reason, ...revisions(state) }, now),
    effects: []
  }
}

function acknowledged(state: DeviceState, ack: AckPayload, now: number): Step {
  const first = offsetOf(state.clock) === null
  const reports = acknowledge(state.reports, ack)
  const next = { ...state, reports, clock: learn(state.clock, ack.serverTime, firstSentAt(state.reports, ack), now) }
  // The acknowledgement made room in the queue to report the dropped ones.
  const owned =
    reports.dropped > 0 && reports !== state.reports
      ? { ...next, reports: addResync(reports, snapshot(next, now), now) }
      : next
  return { state: owned, effects: first ? [{ kind: 'server-reached' }, { kind: 'persist', urgent: false }] : [] }
}
