import { Timestamp } from 'bson'
import { describe, expect, it } from 'vitest'
import type { Document } from '../bson/document.ts'
import { compareText } from '../bson/compare.ts'
import { parseSteps } from './steps.ts'

const stepsOf = (update: Document): string[] =>
  parseSteps(
    update,
    {
      text: compareText,
      expression: () => () => true,
      now: () => new Date(0),
      timestamp: () => new Timestamp({ t: 1, i: 1 })
    },
    new Map()
  ).map(({ path }) => path)

describe('the steps of an update', () => {
  it('are applied in the order of their names, positions by their value', () => {
    expect(stepsOf({ $set: { b: 1, 'a.10': 1, 'a.9': 1 }, $inc: { a1: 1 } })).toEqual(['a.9', 'a.10', 'a1', 'b'])
  })

  it.each([
    [{ $set: { a: 1 }, $inc: { a: 1 } }, "Updating the path 'a' would create a conflict at 'a'"],
    [{ $set: { 'a.b': 1, 'a-b': 1, a: 1 } }, "Updating the path 'a.b' would create a conflict at 'a'"],
    [{ $set: { 'a.b.c': 1 }, $unset: { 'a.b': 1 } }, "Updating the path 'a.b.c' would create a conflict at 'a.b'"],
    [{ $rename: { x: 'a' }, $set: { a: 1 } }, "Updating the path 'a' would create a conflict at 'a'"],
    [{ $rename: { x: 'a' }, $set: { 'a.b': 1 } }, "Updating the path 'a.b' would create a conflict at 'a'"]
  ])('may not conflict: %j', (update, message) => {
    expect(() => stepsOf(update)).toThrow(message)
  })

  it('may be siblings under one parent, or share the beginning of a name', () => {
    expect(stepsOf({ $set: { 'a.b': 1, 'a.c': 1, ab: 1 } })).toEqual(['a.b', 'a.c', 'ab'])
  })

  it.each(['', '.', 'a.', '.a', 'a..b'])('refuse an empty field name: "%s"', (path) => {
    expect(() => stepsOf({ $set: { [path]: 1 } })).toThrow(/empty field name/)
  })
})
