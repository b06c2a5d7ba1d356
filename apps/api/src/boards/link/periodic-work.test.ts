import { deviceSilenceMs } from '@batti/contracts'
import { createFakeClock } from '@batti/kit/testing'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createMetrics } from '../../platform/http/metrics.ts'
import { createDownlink } from './downlink.ts'
import { createPeriodicWork } from './periodic-work.ts'

test('while the process was suspended no board was silent: what they said may not be read yet', () => {
  const clock = createFakeClock()
  const downlink = createDownlink(clock, { onTurn: () => undefined, onBack: () => undefined })
  downlink.open((handlers) => {
    handlers.onUp()
    return { name: 'x', isUp: () => true, publish: () => true, stop: () => Promise.resolve() }
  })
  const heardFor: number[] = []
  const work = createPeriodicWork({
    clock,
    timers: clock,
    registry: { countOnline: () => Promise.resolve(0) },
    store: { expireForgottenCommands: () => Promise.resolve() },
    metrics: createMetrics(),
    log: pino({ level: 'silent' }),
    sweep: () => void heardFor.push(clock.monotonic() - (downlink.hearingSince() ?? 0)),
    wasSuspended: downlink.hearAnew,
    isAwaiting: () => false,
    forgetUnused: () => undefined
  })
  work.start()
  clock.advance(1000)
  clock.suspend(deviceSilenceMs)
  clock.advance(1000)
  work.stop()
  expect(heardFor).toEqual([0, 500, 1000, 0, 500])
})
