import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { singleInstance } from './cluster/cluster.ts'
import { createPollLoop } from './poll-loop.ts'

function loopOf(pass: () => Promise<void>) {
  const failures: unknown[] = []
  const loop = createPollLoop({
    name: 'lamps',
    isAlone: true,
    cluster: singleInstance('one'),
    now: () => 0,
    pass,
    failed: (error) => void failures.push(error),
    waitMs: () => 0
  })
  return { loop, failures }
}

test('a pass that is asked for begins when the one that runs has ended', async () => {
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const begun: number[] = []
  const { loop } = loopOf(() => {
    begun.push(begun.length)
    return gates[begun.length - 1]?.promise ?? Promise.resolve()
  })
  const first = loop.tick()
  const second = loop.tick()
  await Promise.resolve()
  expect(begun).toEqual([0])
  gates[0]?.resolve()
  await first
  expect(begun).toEqual([0, 1])
  gates[1]?.resolve()
  await second
})

test('a pass that fails is reported, and the loop goes on', async () => {
  const third = Promise.withResolvers<void>()
  let passes = 0
  const { loop, failures } = loopOf(async () => {
    passes += 1
    if (passes === 3) third.resolve()
    if (passes < 3) throw new Error(`pass ${passes}`)
  })
  loop.start()
  await third.promise
  await loop.stop()
  expect(failures.map(String)).toEqual(['Error: pass 1', 'Error: pass 2'])
})

test('its stop waits for the pass that runs, and none begins afterwards', async () => {
  const begun = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  let ended = 0
  const { loop } = loopOf(async () => {
    begun.resolve()
    await gate.promise
    ended += 1
  })
  loop.start()
  await begun.promise
  const stopped = loop.stop().then(() => expect(ended).toBe(1))
  const late = loop.tick()
  await nextTurn()
  gate.resolve()
  await stopped
  await late
  expect(ended).toBe(1)
})
