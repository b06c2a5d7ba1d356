import { createFakeClock } from '@batti/kit/testing'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { singleInstance } from '../../../platform/cluster/cluster.ts'
import { createRunner, type RunnerOptions } from './runner.ts'

it('a board that is locked or unlocked while the stored list is read stays so', async () => {
  const clock = createFakeClock()
  const read = Promise.withResolvers<string[]>()
  let isReading = false
  const runner = createRunner({
    rollouts: {
      findActiveIds: () => Promise.resolve(['a rollout']),
      lease: () => Promise.resolve(null)
    } as unknown as RunnerOptions['rollouts'],
    targets: {
      lockedIds: () => {
        isReading = true
        return read.promise
      }
    } as unknown as RunnerOptions['targets'],
    engine: () => expect.fail('another instance drives it'),
    log: pino({ level: 'silent' }),
    now: clock.now,
    monotonic: clock.monotonic,
    instance: 'x',
    isAlone: true,
    cluster: singleInstance('x'),
    newId: () => 'y'
  })
  const boards = ['installs since', 'was installing', 'installs']
  const areLocked = (): boolean[] => boards.map(runner.isLocked)
  runner.lock('was installing', true)
  const pass = runner.tick()
  await expect.poll(() => isReading).toBe(true)
  runner.lock('installs since', true)
  runner.lock('was installing', false)
  expect(areLocked()).toEqual([true, false, false])
  read.resolve(['was installing', 'installs'])
  await pass
  expect(areLocked()).toEqual([true, false, true])
})
