import { expect, test } from 'vitest'
import { createOutdatedVersions } from './outdated-versions.ts'

const old = { hwModel: 'batti-strip', osVersion: '1.9.0' }
const newest = { hwModel: 'batti-strip', osVersion: '1.10.0' }

test('a version that was not asked about is unknown until the next question, and its boards are named then', async () => {
  const versions = createOutdatedVersions(async (boards) => {
    const outdated = boards.filter(({ osVersion }) => osVersion === old.osVersion)
    return new Set(outdated.map(({ id }) => id))
  })
  await versions.ask([newest])
  expect([versions.isOutdated(newest), versions.hasUnasked()]).toEqual([false, false])
  expect([versions.isOutdated(old), versions.hasUnasked()]).toEqual([undefined, true])
  const wasMissing = await versions.ask([newest, old])
  expect([wasMissing(newest), wasMissing(old)]).toEqual([false, true])
  expect([versions.isOutdated(old), versions.hasUnasked()]).toEqual([true, false])
})

test('a version that no board has any more is not asked about again', async () => {
  const versions = createOutdatedVersions(async () => new Set())
  versions.isOutdated(old)
  await versions.ask([newest])
  expect(versions.hasUnasked()).toBe(false)
})

test('a version whose answer was missing is asked about again after the question has failed', async () => {
  let isAway = true
  const versions = createOutdatedVersions(async (boards) => {
    if (isAway) throw new Error('the database does not answer')
    return new Set(boards.map(({ id }) => id))
  })
  expect(versions.isOutdated(old)).toBeUndefined()
  await expect(versions.ask([old])).rejects.toThrow('does not answer')
  expect(versions.hasUnasked()).toBe(true)
  isAway = false
  const wasMissing = await versions.ask([old])
  expect([wasMissing(old), versions.isOutdated(old), versions.hasUnasked()]).toEqual([true, true, false])
})
