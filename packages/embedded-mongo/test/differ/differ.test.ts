import { describe, expect, it } from 'vitest'
import { runDiffer } from './differ.ts'

/** `npm run bench -- database --differ` runs many more. */
const operations = Number(process.env['DIFFER_OPERATIONS'] ?? 1500)

describe('the engine with indexes, the engine without, and a reference that is searched linearly', () => {
  it.each([1, 2, 3])(
    'answer alike (seed %i)',
    async (seed) => {
      expect(await runDiffer({ seed, operations })).toBeNull()
    },
    120_000
  )
})
