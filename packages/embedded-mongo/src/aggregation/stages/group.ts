import { isDocument, setField, type Document } from '../../bson/document.ts'
import { MongoError } from '../../errors.ts'
import { sizeOfValue } from '../../storage/memory.ts'
import { PAUSE } from '../../storage/pause.ts'
import { requireAccumulator } from './accumulators.ts'
import { compileExpression } from '../expressions/expression.ts'
import { createNames } from '../expressions/sets.ts'
import type { PipelineOptions, Stage } from './stage.ts'

/** Estimated memory of a group, and of each of its accumulations, besides their values. */
const GROUP_BYTES = 150
const ACCUMULATION_BYTES = 120

/** `$group`: makes one document per key by accumulators. */
export function compileGroup(spec: unknown, options: PipelineOptions): Stage {
  if (!isDocument(spec)) throw new MongoError(15947, "a group's fields must be specified in an object")
  if (!Object.hasOwn(spec, '_id')) throw new MongoError(15955, 'a group specification must include an _id')
  const id = compileExpression(spec['_id'], options)
  const fields = Object.entries(spec)
    .filter(([field]) => field !== '_id')
    .map(([field, accumulator]) => ({ field, accumulator: requireAccumulator(field, accumulator, options) }))
  return function* grouping(source, variables) {
    interface Group {
      id: unknown
      sums: { field: string; sum: ReturnType<(typeof fields)[number]['accumulator']['start']> }[]
    }
    const nameOf = createNames(options.text)
    const groups = new Map<string, Group>()
    const share = options.memory.share('$group')
    try {
      for (const document of source) {
        if (document === PAUSE) {
          yield document
          continue
        }
        const value = id(document, variables)
        const key = nameOf(value)
        let found = groups.get(key)
        if (!found) {
          found = {
            id: value ?? null,
            sums: fields.map(({ field, accumulator }) => ({ field, sum: accumulator.start(share.hold) }))
          }
          groups.set(key, found)
          share.hold(GROUP_BYTES + key.length + sizeOfValue(value) + fields.length * ACCUMULATION_BYTES)
        }
        for (const [i, { sum }] of found.sums.entries()) sum.add(fields[i]?.accumulator.evaluate(document, variables))
      }
      for (const found of groups.values()) {
        const result: Document = { _id: found.id }
        for (const { field, sum } of found.sums) setField(result, field, sum.result())
        yield result
      }
    } finally {
      share.release()
    }
  }
}
