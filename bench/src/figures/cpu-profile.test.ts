import { describe, expect, it } from 'vitest'
import { hotspots } from './cpu-profile.ts'

const node = (id: number, functionName: string, url: string, children: number[] = []) => ({
  id,
  callFrame: { functionName, url, lineNumber: 4 },
  children
})

describe('a CPU profile', () => {
  it('is summed by function, whoever called it, and recursion is counted once', () => {
    const spots = hotspots({
      nodes: [
        node(1, '(root)', '', [2, 3]),
        node(2, 'parse', 'file:///x/apps/api/src/a.ts', [4]),
        node(3, 'send', 'file:///x/node_modules/ws/index.js', [5]),
        node(4, 'parse', 'file:///x/apps/api/src/a.ts'),
        node(5, 'parse', 'file:///x/apps/api/src/a.ts')
      ],
      samples: [2, 4, 5, 3],
      timeDeltas: [1000, 2000, 4000, 500]
    })
    expect(spots.find(({ where }) => where === 'parse apps/api/src/a.ts:5')).toEqual({
      where: 'parse apps/api/src/a.ts:5',
      selfMs: 7,
      totalMs: 7
    })
    expect(spots.find(({ where }) => where === 'send node_modules/ws/index.js:5')?.totalMs).toBe(4.5)
  })
})
