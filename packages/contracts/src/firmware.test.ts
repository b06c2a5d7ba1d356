import { describe, expect, it } from 'vitest'
import { compareVersions, versionOrderOf } from './firmware.ts'
import { bulkDevices } from './http/bulk-devices.ts'
import { createRollout } from './http/rollouts.ts'

describe('versions', () => {
  it.each([
    ['1.10.0', '1.9.9', 1],
    ['1.9.9', '1.10.0', -1],
    ['1.4.2', '1.4.2', 0],
    ['2.0', '1.99.99', 1],
    ['1.4', '1.4.0', 0],
    ['1.4.0.1', '1.4', 1],
    ['', '0.0', -1],
    ['dev', '0.1', -1]
  ])('%s against %s is %i', (a, b, expected) => {
    expect(compareVersions(a, b)).toBe(expected)
  })
  it('have the same order in a database', () => {
    const versions = ['dev', '0.9', '1.4.2', '1.9.9', '1.10.0', '2.0']
    expect(versions.toReversed().toSorted((a, b) => (versionOrderOf(a) < versionOrderOf(b) ? -1 : 1))).toEqual(versions)
  })
})

describe('a new rollout', () => {
  const base = { fileName: 'wall-1.5.0.bin', target: { filter: {} } }
  const faults = (change: object): string[] =>
    (createRollout.body?.safeParse({ ...base, ...change }).error?.issues ?? []).map(({ path }) => path.join('.'))

  it('is accepted in its shortest form, with defaults for omitted fields', () => {
    expect(createRollout.body?.parse({ ...base, stages: [{ percent: 100 }] })).toEqual({
      ...base,
      follow: false,
      updateWhen: 'any',
      stages: [{ percent: 100, then: 'go' }]
    })
  })

  it.each([
    [{ stages: [{ percent: 50 }] }, 'stages'],
    [{ stages: [{ devices: 1, percent: 100 }] }, 'stages.0'],
    [{ stages: [{}] }, 'stages.0'],
    [{ stages: [] }, 'stages'],
    [{ stages: [{ percent: 100, holdMinutes: 10_081 }] }, 'stages.0.holdMinutes'],
    [{ stages: [{ percent: 100, then: 'stop' }] }, 'stages.0.then'],
    [{ maxFailurePercent: 101 }, 'maxFailurePercent'],
    [{ atOnce: 0 }, 'atOnce'],
    [{ atOnce: 1001 }, 'atOnce'],
    [{ allowedHours: { from: '02:00', to: '02:00' } }, 'allowedHours.to'],
    [{ allowedHours: { from: '25:00', to: '02:00' } }, 'allowedHours.from'],
    [{ target: { deviceIds: ['65f0c0ffee65f0c0ffee65f0'] }, follow: true }, 'follow'],
    [{ target: {} }, 'target'],
    [{ target: { deviceIds: ['65f0c0ffee65f0c0ffee65f0'], filter: {} } }, 'target'],
    [{ target: { filter: { status: 'away' } } }, 'target.filter.status'],
    [{ target: { deviceIds: [] } }, 'target.deviceIds'],
    [{ fileName: undefined }, 'fileName']
  ])('is refused with %j, naming the field', (change, path) => {
    expect(faults(change)).toEqual([path])
  })

  it('sets something in bulk, on boards selected in one way', () => {
    const body = bulkDevices.body
    expect(body?.safeParse({ filter: {}, set: { activeColor: 'red' } }).success).toBe(true)
    for (const wrong of [
      { filter: {}, set: {} },
      { set: { activeColor: 'red' } },
      { filter: {}, deviceIds: ['65f0c0ffee65f0c0ffee65f0'], set: { activeColor: 'red' } }
    ])
      expect(body?.safeParse(wrong).success).toBe(false)
  })
})
