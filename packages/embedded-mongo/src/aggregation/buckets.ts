import { compareValues } from '../bson/compare.ts'
import { isDocument, type Document } from '../bson/document.ts'
import { isNumeric, toNumber } from '../bson/numbers.ts'
import { MongoError, unsupported } from '../errors.ts'
import { PAUSE } from '../storage/pause.ts'
import { requireAccumulator, type Accumulation } from './accumulators.ts'
import { compileExpression } from './expression.ts'
import { collect, type PipelineOptions, type Stage } from './stage.ts'

const outputs = (
  spec: Document,
  options: PipelineOptions
): { field: string; accumulator: ReturnType<typeof requireAccumulator> }[] => {
  const output = isDocument(spec['output']) ? spec['output'] : { count: { $sum: 1 } }
  return Object.entries(output).map(([field, value]) => ({
    field,
    accumulator: requireAccumulator(field, value, options)
  }))
}

/** `$bucket`: groups by the interval that a value lies in. */
export const compileBucket = (spec: unknown, options: PipelineOptions): Stage => {
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
      const sums = buckets.get(at) ?? fields.map(({ accumulator }) => accumulator.start())
      buckets.set(at, sums)
      for (const [i, sum] of sums.entries()) sum.add(fields[i]?.accumulator.evaluate(document, variables), document)
    }
    const results = [...buckets].map(([at, sums]) => ({
      _id: at === boundaries.length ? spec['default'] : boundaries[at],
      ...Object.fromEntries(fields.map(({ field }, i) => [field, sums[i]?.result()]))
    }))
    yield* results.toSorted((a, b) => compareValues(a._id, b._id, options.text))
  }
}

/** `$bucketAuto`: groups of about the same size. */
export const compileBucketAuto = (spec: unknown, options: PipelineOptions): Stage => {
  if (!isDocument(spec)) throw new MongoError(40240, 'The argument to $bucketAuto must be an object')
  if (spec['granularity'] !== undefined) throw unsupported('$bucketAuto with a granularity')
  const count = isNumeric(spec['buckets']) ? toNumber(spec['buckets']) : 0
  if (!Number.isInteger(count) || count <= 0)
    throw new MongoError(40243, "The $bucketAuto 'buckets' field must be greater than 0")
  const groupBy = compileExpression(spec['groupBy'], options)
  const fields = outputs(spec, options)
  return function* bucketAuto(source, variables) {
    const documents = yield* collect(source, '$bucketAuto')
    const items = documents
      .map((document) => ({ document, value: groupBy(document, variables) ?? null }))
      .toSorted((a, b) => compareValues(a.value, b.value, options.text))
    const size = Math.max(1, Math.round(items.length / count))
    let start = 0
    for (let made = 0; start < items.length; made++) {
      let end = made === count - 1 ? items.length : Math.min(start + size, items.length)
      // Equal values stay together.
      while (end < items.length && compareValues(items[end - 1]?.value, items[end]?.value, options.text) === 0) end++
      const sums = fields.map(({ accumulator }) => accumulator.start())
      for (const { document } of items.slice(start, end)) {
        for (const [i, sum] of sums.entries()) sum.add(fields[i]?.accumulator.evaluate(document, variables), document)
      }
      const last = end === items.length
      yield {
        _id: { min: items[start]?.value, max: last ? items[end - 1]?.value : items[end]?.value },
        ...Object.fromEntries(fields.map(({ field }, i) => [field, sums[i]?.result()]))
      }
      start = end
    }
  }
}
