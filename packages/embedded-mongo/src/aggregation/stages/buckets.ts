import { compareValues } from '../../bson/compare.ts'
import { isDocument, type Document } from '../../bson/document.ts'
import { MongoError } from '../../errors.ts'
import { PAUSE } from '../../storage/pause.ts'
import { requireAccumulator, type Accumulation } from './accumulators.ts'
import { compileExpression } from '../expressions/expression.ts'
import type { PipelineOptions, Stage } from './stage.ts'

function outputs(
  spec: Document,
  options: PipelineOptions
): { field: string; accumulator: ReturnType<typeof requireAccumulator> }[] {
  const output = isDocument(spec['output']) ? spec['output'] : { count: { $sum: 1 } }
  return Object.entries(output).map(([field, value]) => ({
    field,
    accumulator: requireAccumulator(field, value, options)
  }))
}

/** `$bucket`: groups by the interval that contains a value. */
export function compileBucket(spec: unknown, options: PipelineOptions): Stage {
  if (!isDocument(spec)) throw new MongoError(40201, 'Argument to $bucket stage must be an object')
  const boundaries: unknown[] = Array.isArray(spec['boundaries'])
    ? spec['boundaries'].map((value) => compileExpression(value, options)({}))
    : []
  if (boundaries.length < 2)
    throw new MongoError(
      40192,
      `The $bucket 'boundaries' field must have at least 2 values, but found ${boundaries.length} value(s).`
    )
  for (const [i, value] of boundaries.entries()) {
    if (i > 0 && compareValues(boundaries[i - 1], value, options.text) >= 0)
      throw new MongoError(40194, "The 'boundaries' option to $bucket must be sorted in ascending order")
  }
  const hasDefault = Object.hasOwn(spec, 'default')
  const groupBy = compileExpression(spec['groupBy'], options)
  const fields = outputs(spec, options)
  return function* bucket(source, variables) {
    const buckets = new Map<number, Accumulation[]>()
    const share = options.memory.share('$bucket')
    try {
      for (const document of source) {
        if (document === PAUSE) {
          yield document
          continue
        }
        const value = groupBy(document, variables) ?? null
        const above = boundaries.findIndex((boundary) => compareValues(value, boundary, options.text) < 0)
        const at = above <= 0 ? boundaries.length : above - 1
        if (at === boundaries.length && !hasDefault) {
          throw new MongoError(
            40066,
            '$switch could not find a matching branch for an input, and no default was specified.'
          )
        }
        const sums = buckets.get(at) ?? fields.map(({ accumulator }) => accumulator.start(share.hold))
        buckets.set(at, sums)
        for (const [i, sum] of sums.entries()) sum.add(fields[i]?.accumulator.evaluate(document, variables))
      }
      const results = [...buckets].map(([at, sums]) => ({
        _id: at === boundaries.length ? spec['default'] : boundaries[at],
        ...Object.fromEntries(fields.map(({ field }, i) => [field, sums[i]?.result()]))
      }))
      yield* results.toSorted((a, b) => compareValues(a._id, b._id, options.text))
    } finally {
      share.release()
    }
  }
}
