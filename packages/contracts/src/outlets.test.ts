import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  hasLevel,
  kindsOf,
  newOutlets,
  outletKinds,
  outletOf,
  outletsFromWire,
  outletsToWire,
  withStates
} from './outlets.ts'

const outlets = fc.array(
  fc
    .record({ kind: fc.constantFrom(...outletKinds), on: fc.boolean(), level: fc.nat(255) })
    .map(({ kind, on, level }) => outletOf(kind, on, level)),
  { maxLength: 64 }
)

describe('outlets on the wire', () => {
  test('are parsed as they were written', () => {
    fc.assert(
      fc.property(outlets, (some) => {
        expect(outletsFromWire(outletsToWire(some))).toEqual(some)
      })
    )
  })

  test('the lists name every kind except the plain switch', () => {
    const kinds = ['switch', 'fan', 'socket', 'fan', 'dimmer'] as const
    const written = outletsToWire(newOutlets(kinds))
    expect(written).toMatchObject({ fanIndexes: [1, 3], socketIndexes: [2], dimmerIndexes: [4] })
    expect(kindsOf(5, written)).toEqual(kinds)
    expect(kindsOf(1, {})).toEqual(['switch'])
  })

  test('a level without meaning is omitted, and is 0 on the wire', () => {
    const [lamp, fan] = outletsFromWire({ switch: [true, false], speed: [7, 90], fanIndexes: [1], socketIndexes: [] })
    expect(lamp).toEqual({ kind: 'switch', on: true })
    expect(fan).toEqual({ kind: 'fan', on: false, level: 90 })
    expect(outletsToWire([lamp, fan].flatMap((one) => one ?? []))).toMatchObject({ speed: [0, 90] })
  })
})

describe('a new state', () => {
  test('has the reported values, with unchanged kinds', () => {
    fc.assert(
      fc.property(outlets, fc.infiniteStream(fc.boolean()), fc.infiniteStream(fc.nat(255)), (some, flips, levels) => {
        const states = {
          switch: some.map(() => flips.next().value === true),
          speed: some.map(() => Number(levels.next().value))
        }
        const expected = some.map(({ kind }, index) =>
          outletOf(kind, states.switch[index] ?? false, states.speed[index] ?? 0)
        )
        expect(withStates(some, states)).toEqual(expected)
      })
    )
  })

  test('keeps the object of an unchanged outlet, with all its other fields', () => {
    const named = outletsFromWire({ switch: [true, true], speed: [0, 9], fanIndexes: [1] }).map((outlet, index) => ({
      ...outlet,
      name: `Switch ${index + 1}`
    }))
    const [lamp, fan] = withStates(named, { switch: [true, true], speed: [3, 10] })
    expect(lamp).toBe(named[0])
    expect(fan).toEqual({ kind: 'fan', on: true, level: 10, name: 'Switch 2' })
  })
})

test('only fans and dimmers have a level', () => {
  expect(outletKinds.filter(hasLevel)).toEqual(['fan', 'dimmer'])
})
