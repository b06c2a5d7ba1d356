import { BSONRegExp, BSONSymbol } from 'bson'
import { compareText, compareValues, type TextOrder } from '../bson/compare.ts'
import { isDocument, typeName, type Document } from '../bson/document.ts'
import { encodeKey, rankOfType } from '../bson/key.ts'
import { isNumeric, toNumber, wholePart } from '../bson/numbers.ts'
import { bitsMatch, bitsOf } from './bits.ts'
import type { Comparison, Filter, Leaf, Pattern } from './filter.ts'
import { somePathValue, splitPath, type LeafArrays } from './path.ts'

export type Predicate = (document: Document) => boolean
type ValueTest = (value: unknown) => boolean

export interface MatcherOptions {
  /** The order of text; binary unless the query has a collation. */
  text?: TextOrder
  /** Compiles `$expr`. */
  expression: (expression: unknown) => (document: Document) => unknown
}

/** Compiles a parsed query into a test of documents, with MongoDB's rules for arrays, null and types. */
export function compileFilter(filter: Filter, options: MatcherOptions): Predicate {
  switch (filter.kind) {
    case 'and': {
      const parts = filter.parts.map((part) => compileFilter(part, options))
      return (document) => parts.every((part) => part(document))
    }
    case 'or': {
      const parts = filter.parts.map((part) => compileFilter(part, options))
      return (document) => parts.some((part) => part(document))
    }
    case 'nor': {
      const parts = filter.parts.map((part) => compileFilter(part, options))
      return (document) => !parts.some((part) => part(document))
    }
    case 'expr': {
      const evaluate = options.expression(filter.expression)
      return (document) => isTrue(evaluate(document))
    }
    case 'never':
      return () => false
    case 'field': {
      const parts = splitPath(filter.path)
      const test = compileLeaf(filter.leaf, options)
      return (document) => test(document, parts)
    }
  }
}

/** Truth in aggregations: false, null, missing and zero are false. */
export const isTrue = (value: unknown): boolean =>
  !(value === false || value === null || value === undefined || (isNumeric(value) && toNumber(value) === 0))

type PathTest = (root: unknown, parts: readonly string[]) => boolean

/** `arrays`: inside `$elemMatch` an element that is an array counts as one value. */
function compileLeaf(leaf: Leaf, options: MatcherOptions, arrays: LeafArrays = 'elements and whole'): PathTest {
  const onAny =
    (test: ValueTest): PathTest =>
    (root, parts) =>
      somePathValue(root, parts, arrays, test)
  const text = options.text ?? compareText
  switch (leaf.op) {
    case 'eq':
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return onAny(comparison(leaf.op, leaf.value, text))
    case 'in':
      return onAny(membership(leaf.values, leaf.patterns, options.text))
    case 'regex':
      return onAny(regexTest(leaf))
    case 'exists': {
      const wanted = leaf.value
      return (root, parts) => somePathValue(root, parts, 'whole', (value) => value !== undefined) === wanted
    }
    case 'type':
      return onAny(typeTest(leaf.types))
    case 'mod':
      return onAny(modTest(leaf.divisor, leaf.remainder))
    case 'size':
      return (root, parts) =>
        somePathValue(root, parts, 'whole', (value) => Array.isArray(value) && value.length === leaf.size)
    case 'all': {
      const each = leaf.each.map((part) => compileLeaf(part, options, arrays))
      return (root, parts) => each.length > 0 && each.every((test) => test(root, parts))
    }
    case 'elemMatch': {
      const inner = compileFilter(leaf.filter, options)
      return onArray((element) => {
        const document = elementDocument(element)
        return document !== null && inner(document)
      })
    }
    case 'elemMatchValue': {
      const tests = leaf.leaves.map((part) => compileLeaf(part, options, 'whole'))
      return onArray((element) => tests.every((test) => test(element, [])))
    }
    case 'not': {
      const tests = leaf.leaves.map((part) => compileLeaf(part, options, arrays))
      return (root, parts) => !tests.every((test) => test(root, parts))
    }
    case 'bits':
      return onAny((value) => {
        const bits = bitsOf(value)
        return bits !== null && bitsMatch(bits, leaf.positions, leaf.want)
      })
  }
}

/** Returns an element as a document for `$elemMatch`. The fields of a nested list are its positions. */
export const elementDocument = (element: unknown): Document | null =>
  isDocument(element) ? element : Array.isArray(element) ? Object.fromEntries(element.entries()) : null

const onArray =
  (test: ValueTest): PathTest =>
  (root, parts) =>
    somePathValue(root, parts, 'whole', (value) => Array.isArray(value) && value.some(test))

/** Compares only values of the same type, like MongoDB: a number is never between two texts. */
function comparison(op: Comparison, wanted: unknown, text: TextOrder): ValueTest {
  if (op === 'eq') return equalityTest(wanted, text)
  const rank = rankOfType[typeName(wanted)]
  if (wanted === null)
    return op === 'gte' || op === 'lte' ? (value) => value === null || value === undefined : () => false
  if (rank === rankOfType.minKey || rank === rankOfType.maxKey) {
    return (value) => holds(op, compareValues(value, wanted, text))
  }
  if (isNumeric(wanted) && Number.isNaN(toNumber(wanted))) {
    const or = op === 'gte' || op === 'lte'
    return (value) => or && isNumeric(value) && Number.isNaN(toNumber(value))
  }
  if (rank === rankOfType.int) {
    return (value) =>
      rankOfType[typeName(value)] === rank && !Number.isNaN(toNumber(value)) && holds(op, compareValues(value, wanted))
  }
  return (value) => rankOfType[typeName(value)] === rank && holds(op, compareValues(value, wanted, text))
}

const holds = (op: Comparison, order: number): boolean =>
  op === 'gt' ? order > 0 : op === 'gte' ? order >= 0 : op === 'lt' ? order < 0 : order <= 0

function equalityTest(wanted: unknown, text: TextOrder): ValueTest {
  if (wanted === null || wanted === undefined) return (value) => value === null || value === undefined
  if (typeof wanted === 'string') {
    return text === compareText
      ? (value) => value === wanted || (value instanceof BSONSymbol && value.value === wanted)
      : (value) => typeof value === 'string' && text(value, wanted) === 0
  }
  if (typeof wanted === 'boolean') return (value) => value === wanted
  return (value) => value !== undefined && compareValues(value, wanted, text) === 0
}

/** `$in`: looks many values up by their ordered keys; compares few values directly. */
function membership(values: readonly unknown[], patterns: readonly Pattern[], text: TextOrder | undefined): ValueTest {
  const patternTests = patterns.map(regexTest)
  const byPattern = (value: unknown): boolean => patternTests.some((test) => test(value))
  if (values.length <= 4 || text !== undefined) {
    const tests = values.map((value) => equalityTest(value, text ?? compareText))
    return (value) => tests.some((test) => test(value)) || byPattern(value)
  }
  const texts = new Set(values.filter((value) => typeof value === 'string'))
  const keys = new Set(values.map((value) => encodeKey(value).toString('latin1')))
  // Texts are looked up directly, without a key.
  return (value) =>
    (typeof value === 'string' ? texts.has(value) : keys.has(encodeKey(value).toString('latin1'))) || byPattern(value)
}

const regexTest =
  ({ pattern, source }: Pattern): ValueTest =>
  (value) =>
    typeof value === 'string'
      ? pattern.test(value)
      : value instanceof BSONSymbol
        ? pattern.test(value.value)
        : value instanceof BSONRegExp && value.pattern === source.pattern && value.options === source.options

function typeTest(types: readonly string[]): ValueTest {
  const wanted = new Set(types)
  if (wanted.delete('number')) for (const name of ['int', 'long', 'double', 'decimal']) wanted.add(name)
  return (value) => value !== undefined && wanted.has(typeName(value))
}

const modTest =
  (divisor: bigint, remainder: bigint): ValueTest =>
  (value) => {
    const number = wholePart(value)
    return number !== null && number.whole % divisor === remainder
  }
