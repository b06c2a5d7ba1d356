import { expect, test } from 'vitest'
import { createFakeClock } from '@batti/kit/testing'
import { createTokenBucket } from '@batti/kit/token-bucket'
import type { Connection } from '#web/lib/socket/connection.ts'
import type { CommandState, Ending } from './command-machine.ts'
import { createCommander } from './commander.ts'

const mac = '34:98:7A:0C:51:E2'

const accepted = { ok: true, id: 'c1', expiresAt: 0 }
const offline = { ok: false, code: 'DEVICE_OFFLINE', message: 'Wall fan is offline.' }

/** A commander whose connection answers each command by `answer`, and records what was sent when. */
function bench(answer: (event: string) => unknown = () => accepted, clock = createFakeClock()) {
  const start = clock.now()
  const sent: { at: number; event: string; payload: unknown }[] = []
  const endings: Ending[] = []
  const emit = (async (event: string, payload: unknown) => {
    sent.push({ at: clock.now() - start, event, payload })
    return answer(event)
  }) as Connection['emit']
  const commander = createCommander({ connection: { emit }, clock, onEnding: (ending) => endings.push(ending) })
  const phase = (index = 0): CommandState['phase'] | undefined => commander.getState()[mac]?.[index]?.phase
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return { clock, commander, sent, endings, phase, settle }
}

test('a toggle is pending at once, locked against a second press, and sent once', () => {
  const { commander, sent, phase } = bench()
  commander.toggle(mac, 0, true)
  commander.toggle(mac, 0, false)
  expect(phase()).toBe('pending')
  expect(sent).toEqual([{ at: 0, event: 'toggle-switch', payload: { deviceMac: mac, switchIndex: 0, state: true } }])
})

test('four seconds without a report end it, with one message; a late report takes it off the card', () => {
  const { clock, commander, endings, phase } = bench()
  commander.toggle(mac, 0, true)
  clock.advance(3999)
  expect(phase()).toBe('pending')
  clock.advance(1)
  expect(phase()).toBe('no-answer')
  commander.reported(mac, { outlets: [{ kind: 'switch', on: true }] })
  expect(phase()).toBeUndefined()
  expect(endings).toMatchObject([{ mac, end: { phase: 'no-answer' } }])
})

test('it ends after four seconds also on a phone whose clock is set back', () => {
  const { clock, commander, endings, phase } = bench()
  commander.toggle(mac, 0, true)
  clock.step(-3_600_000)
  clock.advance(4000)
  expect(phase()).toBe('no-answer')
  expect(endings).toMatchObject([{ mac, end: { phase: 'no-answer' } }])
})

const macs = Array.from({ length: 100 }, (_, index) => `34:98:7A:0C:52:${index.toString(16).padStart(2, '0')}`)

test('All OFF of a hundred boards is sent as fast as the server takes it, and each board has its four seconds', async () => {
  const fake = createFakeClock()
  const server = createTokenBucket({ perSecond: 20, burst: 40 }, fake.monotonic)
  const tooMany = { ok: false, code: 'TOO_MANY_REQUESTS', message: 'Please try again after 1 second.' }
  const { clock, commander, sent, settle } = bench(() => (server.take() ? accepted : tooMany), fake)
  for (const each of macs) commander.toggleAll(each, 1, false)
  const phases = () => macs.map((each) => commander.getState()[each]?.[0]?.phase)
  clock.advance(3999)
  await settle()
  expect(sent).toHaveLength(100)
  expect(new Set(phases())).toEqual(new Set(['pending']))
  clock.advance(1)
  expect([phases()[0], phases().at(-1)]).toEqual(['no-answer', 'pending'])
})

test('a command that has ended before its turn is not sent late', () => {
  const { clock, commander, sent } = bench()
  for (const each of macs) commander.toggleAll(each, 1, false)
  commander.reported(macs.at(-1) ?? '', { outlets: [{ kind: 'switch', on: false }] })
  clock.advance(10_000)
  expect(sent).toHaveLength(99)
})

test('what still waits to be sent is not sent when another person signs in', () => {
  const { clock, commander, sent } = bench()
  for (const each of macs) commander.toggleAll(each, 1, false)
  const before = sent.length
  commander.reset()
  clock.advance(10_000)
  expect(sent).toHaveLength(before)
})

test('a timer that fires too early is set again', () => {
  const exact = createFakeClock()
  let isEarly = true
  const { clock, commander, endings, phase } = bench(undefined, {
    ...exact,
    after: (delayMs, run) => {
      const early = isEarly ? 1 : 0
      isEarly = false
      return exact.after(delayMs - early, run)
    }
  })
  commander.toggle(mac, 0, true)
  clock.advance(3999)
  expect(phase()).toBe('pending')
  clock.advance(1)
  expect(phase()).toBe('no-answer')
  expect(endings).toHaveLength(1)
})

test('a refusal ends it at once with the server’s sentence', async () => {
  const { commander, endings, phase, settle } = bench(() => offline)
  commander.toggle(mac, 0, true)
  await settle()
  expect(phase()).toBe('refused')
  expect(endings).toMatchObject([{ end: { code: 'DEVICE_OFFLINE', message: 'Wall fan is offline.' } }])
})

test('a refusal ends its own command, and no other', async () => {
  const { commander, phase, settle } = bench((event) => (event === 'toggleSwitch' ? offline : accepted))
  commander.toggle(mac, 0, true)
  commander.toggleById({ mac, index: 1, switchId: 'eeeeeeeeeeeeeeeeeeeeeeee' }, true)
  await settle()
  expect([phase(0), phase(1)]).toEqual(['pending', 'refused'])
})

test('without an acknowledgement the board’s report decides', async () => {
  const { commander, phase, settle } = bench(() => ({ ok: false, code: 'NO_ACK', message: '' }))
  commander.toggle(mac, 0, true)
  await settle()
  expect(phase()).toBe('pending')
  commander.reported(mac, { outlets: [{ kind: 'switch', on: true }] })
  expect(phase()).toBe('confirmed')
})

test('the board’s answer to the command that the server accepted ends it, also with another value', async () => {
  const { commander, phase, settle } = bench()
  commander.toggle(mac, 0, true)
  await settle()
  commander.reported(mac, { outlets: [{ kind: 'switch', on: false }], commandId: 'c1' })
  expect(phase()).toBe('no-answer')
})

test('all on is sent as one command, and not while one of the outlets has a pending command', () => {
  const { clock, commander, sent } = bench()
  commander.toggle(mac, 3, true)
  commander.toggleAll(mac, 4, true)
  expect(sent.map(({ event }) => event)).toEqual(['toggle-switch'])
  clock.advance(4000)
  commander.toggleAll(mac, 4, true)
  commander.toggleAll(mac, 4, false)
  expect(sent.slice(1)).toEqual([{ at: 4000, event: 'toggle-all-switches', payload: { deviceMac: mac, state: true } }])
})

test('a toggle on the home screen is sent with the switch’s id, and once', () => {
  const { commander, sent, phase } = bench()
  const lamp = { mac, index: 1, switchId: 'eeeeeeeeeeeeeeeeeeeeeeee' }
  commander.toggleById(lamp, true)
  commander.toggleById(lamp, false)
  expect(sent).toEqual([{ at: 0, event: 'toggleSwitch', payload: { switchId: lamp.switchId, state: true } }])
  expect(phase(1)).toBe('pending')
})

test('a slider sends at most four speeds a second, and the last one wins', () => {
  const { clock, commander, sent } = bench()
  for (let speed = 1; speed <= 100; speed += 1) {
    commander.setLevel(mac, 2, speed)
    clock.advance(10)
  }
  clock.advance(1000)
  const inAnySecond = sent.map(({ at }) => sent.filter((other) => other.at >= at && other.at < at + 1000).length)
  expect(Math.max(...inAnySecond)).toBeLessThanOrEqual(4)
  expect(sent.at(-1)).toMatchObject({ event: 'set-fan-speed', payload: { deviceMac: mac, switchIndex: 2, speed: 100 } })
})

test('each value of a slider shows at once; the four seconds count from the last that was sent', () => {
  const { clock, commander, phase } = bench()
  commander.setLevel(mac, 2, 90)
  commander.setLevel(mac, 2, 140)
  expect(commander.getState()[mac]?.[2]).toMatchObject({ phase: 'pending', target: { level: 140 } })
  clock.advance(4000)
  expect(phase(2)).toBe('pending')
  clock.advance(250)
  expect(phase(2)).toBe('no-answer')
})

test('a fan with a pending toggle accepts no speed until that has ended', () => {
  const { commander, sent } = bench()
  commander.toggle(mac, 2, true)
  commander.setLevel(mac, 2, 200)
  expect(sent).toHaveLength(1)
})

test('a toggle stays what is asked of a fan whose last speed waits to be sent', () => {
  const { clock, commander, sent, phase } = bench()
  commander.setLevel(mac, 2, 90)
  commander.setLevel(mac, 2, 140)
  const off = { kind: 'switch', on: false } as const
  commander.reported(mac, { outlets: [off, off, { kind: 'fan', on: true, level: 140 }] })
  commander.toggle(mac, 2, false)
  clock.advance(250)
  expect(sent.map(({ event }) => event)).toEqual(['set-fan-speed', 'toggle-switch', 'set-fan-speed'])
  expect(commander.getState()[mac]?.[2]).toMatchObject({ phase: 'pending', kind: 'toggle', target: { on: false } })
  clock.advance(3750)
  expect(phase(2)).toBe('no-answer')
})

test('after a logout nothing remains: no command, no ending, no delayed speed', () => {
  const { clock, commander, sent, endings } = bench()
  commander.toggle(mac, 0, true)
  commander.setLevel(mac, 2, 90)
  commander.setLevel(mac, 2, 140)
  commander.reset()
  clock.advance(10_000)
  expect(sent.map(({ event }) => event)).toEqual(['toggle-switch', 'set-fan-speed'])
  expect(commander.getState()).toEqual({})
  expect(endings).toEqual([])
  commander.setLevel(mac, 2, 30)
  expect(sent.at(-1)).toMatchObject({ payload: { speed: 30 } })
})
