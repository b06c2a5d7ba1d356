import { describe, expect, it } from 'vitest'
import { lockGaps } from './lock-gaps.ts'

const tool = { version: '2.0.0', optionalDependencies: { 'tool-linux': '2.0.0', 'tool-windows': '2.0.0' } }
const complete = {
  'node_modules/tool': tool,
  'node_modules/tool-linux': { version: '2.0.0' },
  'node_modules/tool-windows': { version: '2.0.0' }
}

describe('a lock file', () => {
  it('is complete when every platform has its package', () => {
    expect(lockGaps({ packages: complete })).toEqual([])
  })

  it('has a gap if another platform has none', () => {
    const { 'node_modules/tool-windows': _left, ...packages } = complete
    expect(lockGaps({ packages })).toEqual(['tool@2.0.0 lacks 1 of its platform packages, for example tool-windows'])
  })

  it('has a gap if the platform package has another version', () => {
    const packages = { ...complete, 'node_modules/tool-windows': { version: '1.9.0' } }
    expect(lockGaps({ packages })).toHaveLength(1)
  })

  it("counts a package's own nested copy, and one of a parent folder", () => {
    const packages = {
      'node_modules/app/node_modules/tool': tool,
      'node_modules/app/node_modules/tool-linux': { version: '2.0.0' },
      'node_modules/tool-linux': { version: '1.0.0' },
      'node_modules/tool-windows': { version: '2.0.0' }
    }
    expect(lockGaps({ packages })).toEqual([])
  })

  it('contains no download address of one registry', () => {
    const packages = { 'node_modules/a': { version: '1.0.0', resolved: 'https://registry.example/a.tgz' } }
    expect(lockGaps({ packages })).toHaveLength(1)
    expect(lockGaps({ packages: { 'node_modules/@batti/api': { resolved: 'apps/api' } } })).toEqual([])
  })
})
