import { getField, isDocument, typeName, type Document } from '../../bson/document.ts'
import { failedToParse, MongoError } from '../../errors.ts'
import { hasExpression, parseFilter, type Filter } from '../../query/filter.ts'
import { compileFilter } from '../../query/matcher.ts'
import { isIndex } from '../../query/path.ts'
import { PAUSE, type Stream } from '../../storage/pause.ts'
import { compileExpression } from '../expressions/expression.ts'
import {
  collect,
  streamOf,
  withField,
  type CompilePipeline,
  type PipelineOptions,
  type Stage,
  type Variables
} from './stage.ts'

const everything: Filter = { kind: 'and', parts: [] }

function requireText(spec: Document, field: string, stage: string): string {
  const value = spec[field]
  if (typeof value !== 'string')
    throw failedToParse(`${stage} argument '${field}' must be a string, is type ${typeName(value)}`)
  return value
}

/** Returns the values of `localField` to look up: of an array its elements; null when there is none. */
function localValues(document: Document, path: string): unknown[] {
  const found = valuesAt(document, path.split('.'))
  return found.length === 0 ? [null] : found
}

/** Returns all values of a path. It enters arrays of documents, but not nested arrays. The first part is always a name. */
function valuesAt(document: Document, [name = '', ...rest]: readonly string[]): unknown[] {
  let value = getField(document, name)
  let parts: readonly string[] = rest
  for (; Array.isArray(value) && isIndex(parts[0] ?? ''); parts = parts.slice(1)) value = value[Number(parts[0])]
  if (parts.length === 0) return Array.isArray(value) ? value : value === undefined ? [] : [value]
  const inner: unknown[] = Array.isArray(value) ? value : [value]
  return inner.flatMap((element) => (isDocument(element) ? valuesAt(element, parts) : []))
}

const equalTo = (path: string, values: unknown[]): Filter => ({
  kind: 'field',
  path,
  leaf: { op: 'in', values, patterns: [] }
})

/** `$lookup`: by two fields, by a pipeline, or by both. */
export function compileLookup(spec: unknown, options: PipelineOptions, compilePipeline: CompilePipeline): Stage {
  if (!isDocument(spec)) throw failedToParse('the $lookup specification must be an Object')
  for (const field of Object.keys(spec)) {
    if (!['from', 'as', 'localField', 'foreignField', 'let', 'pipeline'].includes(field))
      throw failedToParse(`unknown argument to $lookup: ${field}`)
  }
  const as = requireText(spec, 'as', '$lookup').split('.')
  const { localField, foreignField, pipeline } = spec
  if ((localField === undefined) !== (foreignField === undefined)) {
    throw failedToParse('$lookup requires both or neither of localField and foreignField to be specified')
  }
  if (pipeline === undefined && localField === undefined)
    throw failedToParse("$lookup requires either 'pipeline' or both 'localField' and 'foreignField' to be specified")
  if (pipeline !== undefined && !Array.isArray(pipeline))
    throw new MongoError(14, "'pipeline' option must be specified as an array")
  const stages: unknown[] = pipeline ?? []
  const from =
    spec['from'] === undefined && isDocument(stages[0]) && '$documents' in stages[0]
      ? null
      : requireText(spec, 'from', '$lookup')
  const bound = Object.entries(isDocument(spec['let']) ? spec['let'] : {}).map(
    ([name, value]) => [name, compileExpression(value, options)] as const
  )
  const fixed = from === null ? documentsOf(stages[0], options) : null
  const rest = from === null ? stages.slice(1) : stages
  // A plain `$match` at the head is added to the query, which may use an index.
  const [head] = rest
  const pushed = isDocument(head) && isDocument(head['$match']) ? withoutExpressions(parseFilter(head['$match'])) : null
  const run = rest.length > 0 ? compilePipeline(rest, options) : null

  return function* lookup(source, variables) {
    for (const document of source) {
      if (document === PAUSE) {
        yield document
        continue
      }
      const inner = new Map(variables)
      for (const [name, compute] of bound) inner.set(name, compute(document, variables))
      const parts: Filter[] = []
      if (typeof localField === 'string' && typeof foreignField === 'string')
        parts.push(equalTo(foreignField, localValues(document, localField)))
      if (pushed) parts.push(pushed)
      const found = fixed
        ? filtered(streamOf(fixed(inner)), parts, options)
        : options.read(from ?? '', parts.length === 0 ? everything : { kind: 'and', parts }, [])
      const share = options.memory.share('$lookup')
      try {
        yield withField(document, as, yield* collect(run ? run(found, inner) : found, share))
      } finally {
        share.release()
      }
    }
  }
}

/** Returns the filter if it does not depend on variables, which `let` binds for each document; else null. */
const withoutExpressions = (filter: Filter): Filter | null => (hasExpression(filter) ? null : filter)

function* filtered(source: Stream<Document>, parts: Filter[], options: PipelineOptions): Stream<Document> {
  const test = compileFilter(
    { kind: 'and', parts },
    { text: options.text, expression: (expression) => compileExpression(expression, options) }
  )
  for (const document of source) if (document === PAUSE || test(document)) yield document
}

/** `{ $documents: [...] }`: literal documents instead of a collection. */
export function documentsOf(stage: unknown, options: PipelineOptions): (variables: Variables) => Document[] {
  const list = compileExpression(isDocument(stage) ? stage['$documents'] : undefined, options)
  return (variables) => {
    const value = list({}, variables)
    if (!Array.isArray(value) || !value.every(isDocument))
      throw new MongoError(5858203, 'an array of documents is expected in $documents')
    return value
  }
}

/** `$unionWith`: streams the documents of this pipeline, then those of another collection. */
export function compileUnionWith(spec: unknown, options: PipelineOptions, compilePipeline: CompilePipeline): Stage {
  const given = typeof spec === 'string' ? { coll: spec } : spec
  if (!isDocument(given)) throw failedToParse('the $unionWith stage specification must be an object or string')
  const stages = given['pipeline'] ?? []
  if (!Array.isArray(stages)) throw new MongoError(14, "BSON field '$unionWith.pipeline' is the wrong type")
  const fixed = given['coll'] === undefined ? documentsOf(stages[0], options) : null
  const run = compilePipeline(fixed ? stages.slice(1) : stages, options)
  return function* union(source, variables) {
    yield* source
    yield* run(
      fixed ? streamOf(fixed(variables)) : options.read(requireText(given, 'coll', '$unionWith'), everything, []),
      variables
    )
  }
}
