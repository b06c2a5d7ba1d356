import { createFakeClock, type FakeClock } from '@batti/kit/testing'
import { beforeEach, expect, it } from 'vitest'
import type { TokenWatch } from '../platform/sockets.ts'
import { createTokenWatch } from './token-watch.ts'

let clock: FakeClock
let happened: string[]
let watch: TokenWatch
const tokenFor = (ms: number) =>
  `h.${Buffer.from(JSON.stringify({ exp: (clock.now() + ms) / 1000 })).toString('base64url')}.s`

beforeEach(() => {
  clock = createFakeClock()
  happened = []
  watch = createTokenWatch({
    timers: clock,
    onExpired: (endsAt) => void happened.push(`expired, ${endsAt - clock.now()}`),
    onEnd: () => void happened.push('ended')
  })
})

it('asks for a new token at expiry, and ends 30 s later', () => {
  watch.renewed(tokenFor(900_000))
  clock.advance(899_000)
  expect(happened).toEqual([])
  clock.advance(1000)
  expect(happened).toEqual(['expired, 30000'])
  clock.advance(29_999)
  expect(happened).toHaveLength(1)
  clock.advance(1)
  expect(happened).toEqual(['expired, 30000', 'ended'])
})

it('continues with a new token, before and after the old one expired', () => {
  watch.renewed(tokenFor(10_000))
  clock.advance(5000)
  watch.renewed(tokenFor(10_000))
  clock.advance(9000)
  expect(happened).toEqual([])
  clock.advance(2000)
  watch.renewed(tokenFor(900_000))
  clock.advance(60_000)
  expect(happened).toEqual(['expired, 30000'])
})

it('does nothing after a stop', () => {
  watch.renewed(tokenFor(1000))
  watch.stop()
  clock.advance(60_000)
  expect(happened).toEqual([])
})
