import type { Clock } from '@batti/kit/clock'
import type { EventBus } from '../../platform/events.ts'
import type { Metrics } from '../../platform/http/metrics.ts'
import type { CommandsOptions } from './commands.ts'

/** Reports the outcome of each command to the event bus and the metrics. */
export function commandNotices(deps: {
  clock: Pick<Clock, 'now'>
  events: EventBus
  metrics: Pick<Metrics, 'commands' | 'commandSeconds'>
}): Required<Pick<CommandsOptions, 'onEnd' | 'onRefused'>> {
  const { clock, events, metrics } = deps
  return {
    onRefused: (deviceId) =>
      events.emit('command-ended', { deviceId, result: 'offline', tookMs: 0, sentAt: clock.now() }),
    onEnd(deviceId, result, tookMs) {
      if (result !== 'gone') events.emit('command-ended', { deviceId, result, tookMs, sentAt: clock.now() - tookMs })
      metrics.commands.inc({ outcome: result })
      if (result === 'confirmed') metrics.commandSeconds.observe(tookMs / 1000)
    }
  }
}
