import { createFakeClock } from '@batti/kit/testing'
import { expect, test } from 'vitest'
import { createDownlink } from './downlink.ts'
import type { MqttLink } from './mqtt-client.ts'

/** A downlink whose links go up and down when the test says so. */
function setUp() {
  const clock = createFakeClock()
  const heard: string[] = []
  const downlink = createDownlink(clock, {
    onTurn: () => void heard.push('turn'),
    onBack: () => void heard.push('back')
  })
  const stopped: string[] = []
  function open(name: string) {
    let isUp = false
    const turns: { onUp(): void; onDown(): void }[] = []
    downlink.open((handlers) => {
      turns.push(handlers)
      const link: MqttLink = {
        name,
        isUp: () => isUp,
        publish: () => isUp,
        stop: async () => void stopped.push(name)
      }
      return link
    })
    return {
      up() {
        isUp = true
        for (const { onUp } of turns) onUp()
      },
      down() {
        isUp = false
        for (const { onDown } of turns) onDown()
      }
    }
  }
  return { clock, downlink, heard, stopped, open }
}

test('a replacement is used once it is up, and then the link that it replaces is stopped', () => {
  const { clock, downlink, heard, stopped, open } = setUp()
  open('first').up()
  clock.advance(1000)
  const second = open('second')
  expect([downlink.name(), stopped]).toEqual(['first', []])
  second.up()
  expect([downlink.name(), stopped]).toEqual(['second', ['first']])
  // There was a link all the time, but what the boards say is heard through another one.
  expect(heard).toEqual(['turn', 'back', 'turn'])
  expect([downlink.upSince(), downlink.hearingSince()]).toEqual([clock.monotonic() - 1000, clock.monotonic()])
})

test('a replacement that is itself replaced is stopped, and never used if it goes up all the same', () => {
  const { downlink, heard, stopped, open } = setUp()
  const first = open('first')
  first.up()
  const late = open('late')
  open('last').up()
  expect([downlink.name(), stopped]).toEqual(['last', ['late', 'first']])
  const before = heard.length
  late.up()
  first.down()
  expect([downlink.name(), heard.length]).toEqual(['last', before])
})

test('boards are not heard, and other instances have no name to answer to, while the link is down', () => {
  const { clock, downlink, open } = setUp()
  const link = open('first')
  link.up()
  link.down()
  expect([downlink.name(), downlink.upAt(), downlink.upSince(), downlink.hearingSince()]).toEqual(
    Array.from({ length: 4 }, () => null)
  )
  clock.advance(5000)
  link.up()
  expect([downlink.upSince(), downlink.hearingSince()]).toEqual([clock.monotonic(), clock.monotonic()])
})
