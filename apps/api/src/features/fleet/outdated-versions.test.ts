import { expect, test } from 'vitest'
import { createOutdatedVersions } from './outdated-versions.ts'

const board = { hwModel: 'wall', osVersion: '1.0.0' }

test('a version whose answer was missing is asked about again after the question has failed', async () => {
  let isAway = true
  const versions = createOutdatedVersions(async (boards) => {
    if (isAway) throw new Error('the database does not answer')
    return new Set(boards.map(({ id }) => id))
  })
  expect(versions.isOutdated(board)).toBeUndefined()
  await expect(versions.ask([board])).rejects.toThrow('does not answer')
  expect(versions.hasUnasked()).toBe(true)
  isAway = false
  const wasMissing = await versions.ask([board])
  expect([wasMissing(board), versions.isOutdated(board), versions.hasUnasked()]).toEqual([true, true, false])
})
