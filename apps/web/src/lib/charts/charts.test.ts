import { describe, expect, test } from 'vitest'
import { arcFraction, arcPath, arcPoint } from './arc.ts'
import { barsIn } from './bars.ts'
import { ringParts } from './ring.ts'
import { secondsIn, spansIn } from './spans.ts'

describe('a ring', () => {
  test('gives each value its share, less the space between', () => {
    expect(ringParts([1, 3])).toEqual([
      { length: 23, gap: 77, offset: 25 },
      { length: 73, gap: 27, offset: 0 }
    ])
  })
  test('is whole and without a gap when there is only one value', () => {
    expect(ringParts([0, 7])).toEqual([null, { length: 100, gap: 0, offset: 25 }])
  })
  test('still shows one switch of a thousand', () => {
    expect(ringParts([1, 999])[0]?.length).toBeGreaterThan(0)
  })
  test('has no parts when there is nothing', () => {
    expect(ringParts([0, 0])).toEqual([null, null])
  })
})

describe('bars', () => {
  const box = { width: 100, height: 50, max: 10, gap: 10 }
  test('share the width, and the highest is as high as the box', () => {
    expect(barsIn([10, 5], box)).toEqual([
      { x: 0, y: 0, width: 45, height: 50 },
      { x: 55, y: 25, width: 45, height: 25 }
    ])
  })
  test('have no height for nothing, and a visible one for a little', () => {
    expect(barsIn([0, 0.001], box).map(({ height }) => height)).toEqual([0, 2])
  })
  test('without any value stay empty', () => {
    expect(barsIn([0, 0], { ...box, max: 0 }).map(({ height }) => height)).toEqual([0, 0])
  })
})

describe('spans of a day', () => {
  const window = { from: 1000, to: 2000 }
  test('are cut at the window, and those outside are left out', () => {
    const spans = [
      { from: 0, to: 1250 },
      { from: 1500, to: 1750 },
      { from: 1900, to: 9000 },
      { from: 2000, to: 3000 }
    ]
    expect(spansIn(spans, window)).toEqual([
      { start: 0, width: 0.25 },
      { start: 0.5, width: 0.25 },
      { start: 0.9, width: 0.1 }
    ])
  })
  test('a short one at the very end keeps a visible width, inside the window', () => {
    expect(spansIn([{ from: 1999, to: 2000 }], window)).toEqual([{ start: 0.996, width: 0.004 }])
  })
  test('their seconds count only the part inside', () => {
    expect(secondsIn([{ from: 0, to: 61_000 }], { from: 1000, to: 31_000 })).toBe(30)
  })
})

describe('an arc of 270 degrees', () => {
  test('begins at the lower left, is at the top half-way, and ends at the lower right', () => {
    expect(arcPoint(0, 10).x).toBeCloseTo(-7.07, 2)
    expect(arcPoint(0.5, 10)).toEqual({ x: 0, y: -10 })
    expect(arcPoint(1, 10).x).toBeCloseTo(7.07, 2)
  })
  test('takes the long way once it passes half a circle', () => {
    expect(arcPath(0.5, 10)).toContain('A 10 10 0 0 1')
    expect(arcPath(0.9, 10)).toContain('A 10 10 0 1 1')
  })
  test('a pointer at the top means half; below the opening the nearer end', () => {
    expect(arcFraction(0, -5)).toBe(0.5)
    expect(arcFraction(-5, 0)).toBeCloseTo(1 / 6)
    expect(arcFraction(1, 5)).toBe(1)
    expect(arcFraction(-1, 5)).toBe(0)
  })
  test.each([0, 0.2, 0.55, 0.8, 1])('a pointer on the arc at %s means that value', (fraction) => {
    const { x, y } = arcPoint(fraction, 31)
    expect(arcFraction(x, y)).toBeCloseTo(fraction)
  })
})
