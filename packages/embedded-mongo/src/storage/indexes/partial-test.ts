import { compileExpression } from '../../aggregation/expressions/expression.ts'
import { compareText } from '../../bson/compare.ts'
import type { Document } from '../../bson/document.ts'
import { compileFilter } from '../../query/matcher.ts'
import type { Index } from './index-spec.ts'
import { indexKeys, type KeysOf, type PartialTest } from './index-keys.ts'

/** Creates a test that compiles the filter of each partial index once. */
export function createPartialTest(): PartialTest {
  const compiled = new WeakMap<Index, (document: Document) => boolean>()
  return (index, document) => {
    if (!index.partial) return true
    let test = compiled.get(index)
    if (!test) {
      const options = index.collation ? { text: index.collation.order } : {}
      test = compileFilter(index.partial, {
        ...options,
        expression: (expression) => compileExpression(expression, { now: new Date(0), let: {}, text: compareText })
      })
      compiled.set(index, test)
    }
    return test(document)
  }
}

/** Returns the keys of a document in an index; none if a partial index excludes it. */
export const createKeysOf =
  (partialHolds: PartialTest): KeysOf =>
  (index, document) =>
    index.partial && !partialHolds(index, document) ? { keys: [], arrays: [] } : indexKeys(document, index)
