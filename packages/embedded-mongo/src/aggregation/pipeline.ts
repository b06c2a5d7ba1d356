import { encodeKey } from '../bson/key.ts'
import { isDocument, setField, typeName, type Document } from '../bson/document.ts'
import { isNumeric, toNumber } from '../bson/numbers.ts'
import { MongoError, unsupported } from '../errors.ts'
import { parseFilter } from '../query/filter.ts'
import { compileFilter } from '../query/matcher.ts'
import { plainValue } from '../query/path.ts'
import { requireSort, sortDocuments, type SortField } from '../query/sort.ts'
import { skipAndLimit } from '../planner/execute.ts'
import { PAUSE } from '../storage/pause.ts'
import { requireAccumulator } from './accumulators.ts'
import { compileDocumentStage } from './document-stages.ts'
import { compileExpression } from './expression.ts'
import { compileBucket, compileBucketAuto } from './buckets.ts'
import { compileGraphLookup, compileLookup, compileUnionWith } from './joins.ts'
import { compileRedact } from './redact.ts'
import { collect, holdLimit, streamOf, type PipelineOptions, type Stage, type Variables } from './stage.ts'
import { compileWindows } from './windows.ts'

const onlyField = (stage: unknown): [string, unknown] => {
  const entries = isDocument(stage) ? Object.entries(stage) : []
  const [first] = entries
  if (!first || entries.length > 1)
    throw new MongoError(40323, 'A pipeline stage specification object must contain exactly one field.')
  return first
}

/** Compiles the stages of a pipeline into one. */
export const compilePipeline = (stages: readonly unknown[], options: PipelineOptions): Stage => {
  const compiled = stages.map((stage) => compileStage(...onlyField(stage), options))
  return (source, variables) => compiled.reduce((stream, stage) => stage(stream, variables), source)
}

const countOf = (name: string, value: unknown, code: number, least: number): number => {
  if (!isNumeric(value))
    throw new MongoError(code, `invalid argument to ${name} stage: Expected a number in: ${name}: ${String(value)}`)
  const number = toNumber(value)
  if (number < least)
    throw new MongoError(
      least > 0 ? 15958 : code,
      least > 0
        ? 'the limit must be positive'
        : `invalid argument to ${name} stage: Expected a non-negative number in: ${name}: ${number}`
    )
  return Math.trunc(number)
}

function compileStage(name: string, spec: unknown, options: PipelineOptions): Stage {
  const single = compileDocumentStage(name, spec, options)
  if (single) return mapping(single)
  switch (name) {
    case '$match':
      return match(spec, options)
    case '$sort':
      return sorting(requireSort(spec), options)
    case '$limit': {
      const limit = countOf(name, spec, 5107201, 1)
      return (source) => skipAndLimit(source, 0, limit)
    }
    case '$skip': {
      const skip = countOf(name, spec, 5107200, 0)
      return (source) => skipAndLimit(source, skip, Infinity)
    }
    case '$group':
      return group(spec, options)
    case '$count': {
      if (typeof spec !== 'string' || spec === '')
        throw new MongoError(40156, 'the count field must be a non-empty string')
      return compilePipelineOf([{ $group: { _id: null, [spec]: { $sum: 1 } } }, { $project: { _id: 0 } }], options)
    }
    case '$sortByCount':
      return compilePipelineOf([{ $group: { _id: spec, count: { $sum: 1 } } }, { $sort: { count: -1 } }], options)
    case '$unwind':
      return unwind(spec)
    case '$facet':
      return facet(spec, options)
    case '$lookup':
      return compileLookup(spec, options, compilePipeline)
    case '$graphLookup':
      return compileGraphLookup(spec, options)
    case '$unionWith':
      return compileUnionWith(spec, options, compilePipeline)
    case '$bucket':
      return compileBucket(spec, options)
    case '$bucketAuto':
      return compileBucketAuto(spec, options)
    case '$sample':
      return sample(spec, options)
    case '$redact':
      return compileRedact(spec, options)
    case '$setWindowFields':
      return compileWindows(spec, options)
    default:
      throw refuseStage(name)
  }
}

const compilePipelineOf = (stages: readonly Document[], options: PipelineOptions): Stage =>
  compilePipeline(stages, options)

const REFUSED = new Set([
  '$geoNear',
  '$search',
  '$searchMeta',
  '$vectorSearch',
  '$densify',
  '$fill',
  '$indexStats',
  '$planCacheStats',
  '$currentOp',
  '$listSessions',
  '$listLocalSessions',
  '$changeStreamSplitLargeEvent',
  '$shardedDataDistribution',
  '$querySettings'
])
const PLACED = new Set(['$out', '$merge', '$documents', '$changeStream', '$collStats'])

const refuseStage = (name: string): MongoError => {
  if (REFUSED.has(name)) return unsupported(`the aggregation stage ${name}`)
  if (name === '$out' || name === '$merge')
    return new MongoError(40601, `${name} can only be the final stage in the pipeline`)
  if (PLACED.has(name)) return new MongoError(40602, `${name} is only valid as the first stage in a pipeline.`)
  return new MongoError(40324, `Unrecognized pipeline stage name: '${name}'`)
}

/** A stage of one document for one. */
const mapping = (single: (document: Document, variables?: Variables) => Document): Stage =>
  function* map(source, variables) {
    for (const document of source) yield document === PAUSE ? document : single(document, variables)
  }

const match = (spec: unknown, options: PipelineOptions): Stage => {
  if (!isDocument(spec)) throw new MongoError(15959, 'the match filter must be an expression in an object')
  const filter = parseFilter(spec)
  return function* matching(source, variables) {
    const test = compileFilter(filter, {
      text: options.text,
      expression: (expression) => {
        const evaluate = compileExpression(expression, options)
        return (document) => evaluate(document, variables)
      }
    })
    for (const document of source) if (document === PAUSE || test(document)) yield document
  }
}

const sorting = (fields: readonly SortField[], options: PipelineOptions): Stage =>
  function* sort(source) {
    const documents = yield* collect(source, '$sort')
    yield* sortDocuments(documents, fields, options.text, (document) => document)
  }

const group = (spec: unknown, options: PipelineOptions): Stage => {
  if (!isDocument(spec)) throw new MongoError(15947, "a group's fields must be specified in an object")
  if (!Object.hasOwn(spec, '_id')) throw new MongoError(15955, 'a group specification must include an _id')
  const id = compileExpression(spec['_id'], options)
  const fields = Object.entries(spec)
    .filter(([field]) => field !== '_id')
    .map(([field, accumulator]) => ({ field, accumulator: requireAccumulator(field, accumulator, options) }))
  return function* grouping(source, variables) {
    type Group = {
      id: unknown
      sums: { field: string; sum: ReturnType<(typeof fields)[number]['accumulator']['start']> }[]
    }
    const groups = new Map<string, Group>()
    for (const document of source) {
      if (document === PAUSE) {
        yield document
        continue
      }
      const value = id(document, variables)
      const key = encodeKey(value).toString('latin1')
      let found = groups.get(key)
      if (!found) {
        found = {
          id: value ?? null,
          sums: fields.map(({ field, accumulator }) => ({ field, sum: accumulator.start() }))
        }
        groups.set(key, found)
        holdLimit(groups.size, '$group')
      }
      for (const [i, { sum }] of found.sums.entries())
        sum.add(fields[i]?.accumulator.evaluate(document, variables), document)
    }
    for (const found of groups.values()) {
      const result: Document = { _id: found.id }
      for (const { field, sum } of found.sums) setField(result, field, sum.result())
      yield result
    }
  }
}

const unwind = (spec: unknown): Stage => {
  const given = typeof spec === 'string' ? { path: spec } : spec
  if (!isDocument(given))
    throw new MongoError(
      15981,
      `expected either a string or an object as specification for $unwind stage, got ${typeName(spec)}`
    )
  const { path, includeArrayIndex, preserveNullAndEmptyArrays } = given
  if (typeof path !== 'string')
    throw new MongoError(28808, `expected a string as the path for $unwind stage, got ${typeName(path)}`)
  if (!path.startsWith('$'))
    throw new MongoError(28818, `path option to $unwind stage should be prefixed with a '$': ${path}`)
  const parts = path.slice(1).split('.')
  const index = typeof includeArrayIndex === 'string' ? includeArrayIndex : null
  const put = (document: Document, names: readonly string[], value: unknown): Document => {
    const [name = '', ...rest] = names
    const result = { ...document }
    if (rest.length === 0) {
      if (value === undefined) delete result[name]
      else setField(result, name, value)
    } else {
      const inner = document[name]
      setField(result, name, put(isDocument(inner) ? inner : {}, rest, value))
    }
    return result
  }
  return function* unwinding(source) {
    for (const document of source) {
      if (document === PAUSE) {
        yield document
        continue
      }
      const value = plainValue(document, path.slice(1))
      if (Array.isArray(value) && value.length > 0) {
        for (const [i, element] of value.entries()) {
          const one = put(document, parts, element)
          yield index === null ? one : put(one, index.split('.'), i)
        }
      } else if (value !== null && value !== undefined && !Array.isArray(value)) {
        yield index === null ? document : put(document, index.split('.'), null)
      } else if (preserveNullAndEmptyArrays === true) {
        const kept = Array.isArray(value) ? put(document, parts, undefined) : document
        yield index === null ? kept : put(kept, index.split('.'), null)
      }
    }
  }
}

const facet = (spec: unknown, options: PipelineOptions): Stage => {
  if (!isDocument(spec) || Object.keys(spec).length === 0)
    throw new MongoError(40169, 'the $facet specification must be a non-empty object')
  const facets = Object.entries(spec).map(([name, stages]) => {
    if (!Array.isArray(stages))
      throw new MongoError(40170, `arguments to $facet must be arrays, ${name} is type ${typeName(stages)}`)
    for (const stage of stages) {
      const [inner] = onlyField(stage)
      if (['$facet', '$out', '$merge', '$geoNear', '$collStats'].includes(inner)) {
        throw new MongoError(40600, `${inner} is not allowed to be used within a $facet stage`)
      }
    }
    return { name, run: compilePipeline(stages, options) }
  })
  return function* faceting(source, variables) {
    const documents = yield* collect(source, '$facet')
    const result: Document = {}
    for (const { name, run } of facets)
      setField(result, name, yield* collect(run(streamOf(documents), variables), '$facet'))
    yield result
  }
}

const sample = (spec: unknown, { random }: PipelineOptions): Stage => {
  const size = isDocument(spec) ? spec['size'] : undefined
  if (!isNumeric(size) || toNumber(size) <= 0)
    throw new MongoError(28747, 'size argument to $sample must be a positive number')
  const wanted = Math.trunc(toNumber(size))
  return function* sampling(source) {
    // Reservoir: each document is as likely as any other, and no more than `size` are held.
    const held: Document[] = []
    let seen = 0
    for (const document of source) {
      if (document === PAUSE) {
        yield document
        continue
      }
      seen++
      if (held.length < wanted) held.push(document)
      else {
        const at = Math.floor(random() * seen)
        if (at < wanted) held[at] = document
      }
    }
    for (let i = held.length - 1; i > 0; i--) {
      const j = Math.floor(random() * (i + 1))
      const [a, b] = [held[i], held[j]]
      if (a && b) [held[i], held[j]] = [b, a]
    }
    yield* held
  }
}
