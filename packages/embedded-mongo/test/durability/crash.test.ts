import { testFolder } from '@batti/kit/node/testing'
import { describe, expect, it } from 'vitest'
import { runCrashRounds } from './crash-rounds.ts'

/** 200 rounds with 100,000 documents: `node packages/embedded-mongo/scripts/crash.ts`. */
const ROUNDS = Number(process.env['CRASH_ROUNDS'] ?? 6)

describe('kill -9', () => {
  it('loses no acknowledged write and leaves none half done', async () => {
    const data = testFolder('crash')
    const reports = await runCrashRounds({ data, rounds: ROUNDS, ballast: 2000, random: Math.random })
    expect(reports).toHaveLength(ROUNDS)
    // Without writes the test would prove nothing.
    expect(reports.reduce((sum, { acknowledged }) => sum + acknowledged, 0)).toBeGreaterThan(0)
    expect(reports.reduce((sum, { transactions }) => sum + transactions, 0)).toBeGreaterThan(0)
    expect(reports.reduce((sum, { races }) => sum + races, 0)).toBeGreaterThan(0)
  }, 300_000)
})
