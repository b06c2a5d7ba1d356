import { beforeEach, describe, expect, it } from 'vitest'
import { createFakeClock, until, type FakeClock } from './testing.ts'

describe('the fake clock', () => {
  let clock: FakeClock
  let ran: [name: string, atMs: number][]
  beforeEach(() => {
    clock = createFakeClock(5_000_000)
    ran = []
  })
  const after = (delayMs: number, name: string): (() => void) =>
    clock.after(delayMs, () => void ran.push([name, clock.monotonic()]))

  it('stands still, and moves only when told to', () => {
    expect([clock.now(), clock.monotonic()]).toEqual([5_000_000, 0])
    clock.advance(40)
    expect([clock.now(), clock.monotonic()]).toEqual([5_000_040, 40])
    expect(createFakeClock().now()).toBe(Date.UTC(2027, 0, 15, 8))
  })

  it('runs due callbacks in order, each at its time and once', () => {
    after(30, 'late')
    after(10, 'early')
    after(10, 'early too')
    after(-5, 'overdue')
    after(31, 'later')
    expect(ran).toEqual([])
    clock.advance(30)
    expect(ran).toEqual([
      ['overdue', 0],
      ['early', 10],
      ['early too', 10],
      ['late', 30]
    ])
    clock.advance(0)
    expect(ran).toHaveLength(4)
    clock.advance(1)
    expect(ran.at(-1)).toEqual(['later', 31])
  })

  it('runs callbacks that are scheduled on the way and due in the same span', () => {
    clock.after(10, () => {
      after(5, 'in time')
      after(11, 'too late')
    })
    clock.advance(20)
    expect(ran).toEqual([['in time', 15]])
    expect(clock.monotonic()).toBe(20)
  })

  it('does not run cancelled callbacks', () => {
    const cancel = after(10, 'off')
    after(10, 'on')
    cancel()
    clock.advance(10)
    expect(ran).toEqual([['on', 10]])
  })

  it('runs nothing when it is set, and durations stay the same', () => {
    after(10, 'once')
    clock.step(-3_600_000)
    expect([clock.now(), clock.monotonic(), ran]).toEqual([1_400_000, 0, []])
    clock.step(7_200_000)
    expect(ran).toEqual([])
    clock.advance(10)
    expect([clock.now(), ran]).toEqual([8_600_010, [['once', 10]]])
  })

  it('runs everything later by the time it was suspended', () => {
    after(10, 'once')
    clock.suspend(1000)
    expect([clock.now(), clock.monotonic(), ran]).toEqual([5_001_000, 1000, []])
    clock.advance(9)
    expect(ran).toEqual([])
    clock.advance(1)
    expect(ran).toEqual([['once', 1010]])
  })

  it.each<[string, (other: FakeClock) => void]>([
    ['suspended', (other) => other.suspend(100)],
    ['told to go on', (other) => other.advance(100)]
  ])('is not turned back if it is %s by a due callback', (_, act) => {
    clock.after(10, () => act(clock))
    clock.advance(15)
    expect(clock.monotonic()).toBe(110)
  })
})

describe('until', () => {
  it('asks until there is an answer, and returns it, also if it is 0 or empty', async () => {
    const answers = [null, undefined, false, 'here', 'later']
    expect(await until('a text', () => Promise.resolve(answers.shift()))).toBe('here')
    expect(answers).toEqual(['later'])
    expect(await until('a count', () => Promise.resolve(0))).toBe(0)
    expect(await until('a text', () => '')).toBe('')
  })

  it('lets other work go on between two questions', async () => {
    let isOn = false
    setImmediate(() => (isOn = true))
    expect(await until('the lamp is on', () => isOn)).toBe(true)
  })

  it('names what did not happen in time', async () => {
    await expect(until('the lamp is on', () => false, 30)).rejects.toThrow('the lamp is on: not within 0.03 s')
  })

  it('passes on what the probe throws', async () => {
    await expect(until('a lamp', () => Promise.reject(new Error('no home')))).rejects.toThrow('no home')
  })
})
