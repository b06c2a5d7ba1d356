import { expect, test } from 'vitest'
import { bodyOf, draftOf, faultsOf } from './draft.ts'
import { groupCounts } from './phase-groups.ts'
import { currentStage } from './rollout-words.ts'

const id = (letter: string) => letter.repeat(24)

test('six phases form one group, and every board is in exactly one', () => {
  expect(
    groupCounts({ done: 111, sent: 1, download: 2, proving: 3, failed: 3, 'rolled-back': 6, waiting: 935 })
  ).toEqual({
    done: 111,
    'under-way': 6,
    failed: 3,
    'rolled-back': 6,
    skipped: 0,
    waiting: 935
  })
})

test('the current stage is the first that has not ended; the last one once all have', () => {
  const stage = (endedAt: string | null) => ({
    holdMinutes: 0,
    then: 'go' as const,
    total: 1,
    done: 0,
    startedAt: null,
    endedAt
  })
  expect(currentStage({ stages: [stage('x'), stage(null), stage(null)] })).toBe(1)
  expect(currentStage({ stages: [stage('x'), stage('x')] })).toBe(1)
})

test('an address says which boards are selected: by name, by filter, or all', () => {
  const read = (query: string) => bodyOf(draftOf(new URLSearchParams(query)))
  expect(read('file=wall-1.5.0.bin')).toMatchObject({ fileName: 'wall-1.5.0.bin', target: { filter: {} } })
  expect(read('file=f.bin&health=weak&osVersion=1.4.2&columns=owner').target).toEqual({
    filter: { health: 'weak', osVersion: '1.4.2' }
  })
  expect(read(`file=f.bin&deviceIds=${id('a')},${id('b')}`).target).toEqual({ deviceIds: [id('a'), id('b')] })
})

test("unchanged fields are left to the server's defaults", () => {
  expect(bodyOf({ ...draftOf(new URLSearchParams('file=f.bin')), fileName: 'f.bin' })).toEqual({
    fileName: 'f.bin',
    target: { filter: {} },
    follow: false,
    updateWhen: 'any'
  })
})

test('custom stages, hours and limits are sent as typed, and errors are named by field', () => {
  const draft = draftOf(new URLSearchParams('file=f.bin'))
  const own = {
    ...draft,
    hasOwnStages: true,
    stages: [
      { id: 1, kind: 'devices', size: '2', hold: '30', then: 'ask' },
      { id: 2, kind: 'percent', size: '50', hold: '', then: 'go' }
    ],
    atOnce: '5',
    hasHours: true,
    from: '22:00',
    to: '06:00'
  } as const
  expect(bodyOf(own)).toMatchObject({
    stages: [
      { devices: 2, holdMinutes: 30, then: 'ask' },
      { percent: 50, then: 'go' }
    ],
    atOnce: 5,
    allowedHours: { from: '22:00', to: '06:00' }
  })
  expect(faultsOf(own)).toEqual({ stages: 'never reach all boards: end with percent 100' })
  expect(Object.keys(faultsOf({ ...own, atOnce: 'many', stages: [{ ...own.stages[1], size: '100' }] }))).toEqual([
    'atOnce'
  ])
  expect(Object.keys(faultsOf({ ...draft, fileName: '' }))).toEqual(['fileName'])
})

test('numbers are read in Nepali digits too, as the page itself shows them', () => {
  const draft = draftOf(new URLSearchParams('file=f.bin'))
  const stages = [{ id: 1, kind: 'percent', size: '१००', hold: '३०', then: 'go' }] as const
  const typed = { ...draft, hasOwnStages: true, stages, maxFailurePercent: '२.५', atOnce: '५' }
  expect(bodyOf(typed)).toMatchObject({
    stages: [{ percent: 100, holdMinutes: 30 }],
    maxFailurePercent: 2.5,
    atOnce: 5
  })
})
