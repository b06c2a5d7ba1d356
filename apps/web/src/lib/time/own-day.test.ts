import { afterEach, expect, test, vi } from 'vitest'
import { dayInstant, instantDay } from './own-day.ts'

afterEach(() => vi.unstubAllEnvs())

test.each(['UTC', 'Asia/Kathmandu', 'America/New_York'])('a selected day is read back unchanged, in %s', (zone) => {
  vi.stubEnv('TZ', zone)
  for (const end of ['begin', 'end'] as const)
    expect(instantDay(dayInstant('2026-12-31', end) ?? null)).toBe('2026-12-31')
  expect(instantDay(null)).toBe('')
})
