import type { MqttRefusal } from '@batti/contracts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createTally } from '../metrics.ts'
import { createRefusals, type Refusal } from './refusals.ts'

const refusal: Refusal = {
  clientid: 'dev-a',
  username: 'a',
  peerhost: '192.0.2.1',
  topic: 'CONNECT',
  reason: 'keepalive'
}

describe('reports of refusals', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  function setUp(post: (received: MqttRefusal) => Promise<unknown> = async () => undefined) {
    const received: MqttRefusal[] = []
    const tally = createTally()
    const refusals = createRefusals({
      post: (one) => {
        received.push(one)
        return post(one)
      },
      tally,
      gatherMs: 250,
      maxWaiting: 2
    })
    return { received, tally, refusals }
  }

  it('are combined if equal, with their number, and counted by reason', async () => {
    const { received, tally, refusals } = setUp()
    for (let index = 0; index < 7; index += 1) refusals.note(refusal)
    refusals.note({ ...refusal, username: null, reason: 'no-credentials' })
    await vi.advanceTimersByTimeAsync(250)
    expect(received).toEqual([
      { ...refusal, attempts: 7 },
      { ...refusal, username: null, reason: 'no-credentials', attempts: 1 }
    ])
    expect(Object.fromEntries(tally.refused)).toEqual({ keepalive: 7, 'no-credentials': 1 })
    refusals.note(refusal)
    await vi.advanceTimersByTimeAsync(250)
    expect(received).toHaveLength(3)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('that are too many or could not be sent are dropped and counted', async () => {
    const { received, tally, refusals } = setUp(() => Promise.reject(new Error('api down')))
    for (const clientid of ['dev-a', 'dev-b', 'dev-c', 'dev-d']) refusals.note({ ...refusal, clientid })
    expect(tally.refusalsLost).toBe(2)
    await vi.advanceTimersByTimeAsync(250)
    expect(received).toHaveLength(2)
    expect(tally.refusalsLost).toBe(4)
  })

  it('truncate names that a stranger chose', async () => {
    const { received, refusals } = setUp()
    refusals.note({ ...refusal, clientid: 'x'.repeat(15_000), username: 'y'.repeat(15_000), topic: 'z'.repeat(15_000) })
    await vi.advanceTimersByTimeAsync(250)
    expect([received[0]?.clientid.length, received[0]?.username?.length, received[0]?.topic.length]).toEqual([
      128, 128, 128
    ])
  })

  it('are sent one at a time, later ones after a pause, and none after the stop', async () => {
    const answers: (() => void)[] = []
    const { received, refusals } = setUp(() => new Promise((resolve) => answers.push(() => resolve(undefined))))
    const names = (): string[] => received.map(({ clientid }) => clientid)
    refusals.note({ ...refusal, clientid: 'dev-1' })
    refusals.note({ ...refusal, clientid: 'dev-2' })
    await vi.advanceTimersByTimeAsync(250)
    refusals.note({ ...refusal, clientid: 'dev-3' })
    await vi.advanceTimersByTimeAsync(1000)
    expect(names()).toEqual(['dev-1'])
    answers.shift()?.()
    await vi.advanceTimersByTimeAsync(0)
    answers.shift()?.()
    await vi.advanceTimersByTimeAsync(249)
    expect(names()).toEqual(['dev-1', 'dev-2'])
    refusals.note({ ...refusal, clientid: 'dev-4' })
    await vi.advanceTimersByTimeAsync(1)
    expect(names()).toEqual(['dev-1', 'dev-2', 'dev-3'])
    refusals.stop()
    answers.shift()?.()
    await vi.advanceTimersByTimeAsync(1000)
    expect(names()).toHaveLength(3)
  })

  it('end with the stop', async () => {
    const { received, refusals } = setUp()
    refusals.note(refusal)
    refusals.stop()
    expect(vi.getTimerCount()).toBe(0)
    await vi.advanceTimersByTimeAsync(1000)
    expect(received).toEqual([])
  })
})
