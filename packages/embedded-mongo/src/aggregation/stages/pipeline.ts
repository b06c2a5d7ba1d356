import { compareText } from '../../bson/compare.ts'
import { decodeDocument } from '../../bson/decode.ts'
import { isDocument, type Document } from '../../bson/document.ts'
import { encodeDocument } from '../../bson/encode.ts'
import { encodeCompoundKey } from '../../bson/key.ts'
import { isNumeric, toNumber } from '../../bson/numbers.ts'
import { MongoError, unsupported } from '../../errors.ts'
import { parseFilter } from '../../query/filter.ts'
import { compileFilter } from '../../query/matcher.ts'
import { createSortRow, requireSort, sortDocuments, type SortField } from '../../query/sort.ts'
import { skipAndLimit } from '../../planner/execute.ts'
import { sizeOfValue } from '../../storage/memory.ts'
import { PAUSE } from '../../storage/pause.ts'
import { createSorter, type ItemForm } from '../../storage/sorter.ts'
import { compileBucket } from './buckets.ts'
import { compileDocumentStage } from './document-stages.ts'
import { compileExpression } from '../expressions/expression.ts'
import { compileFacet } from './facet.ts'
import { compileGroup } from './group.ts'
import { compileLookup, compileUnionWith } from './joins.ts'
import { compileSample } from './sample.ts'
import { collect, onlyField, type PipelineOptions, type Stage, type Variables } from './stage.ts'
import { compileUnwind } from './unwind.ts'

/** Compiles the stages of a pipeline into one. */
export function compilePipeline(stages: readonly unknown[], options: PipelineOptions): Stage {
  const compiled = stages.map((stage) => compileStage(...onlyField(stage), options))
  return (source, variables) => compiled.reduce((stream, stage) => stage(stream, variables), source)
}

function countOf(name: string, value: unknown, code: number, least: number): number {
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
      return compileGroup(spec, options)
    case '$count': {
      if (typeof spec !== 'string' || spec === '')
        throw new MongoError(40156, 'the count field must be a non-empty string')
      return compilePipeline([{ $group: { _id: null, [spec]: { $sum: 1 } } }, { $project: { _id: 0 } }], options)
    }
    case '$sortByCount':
      return compilePipeline([{ $group: { _id: spec, count: { $sum: 1 } } }, { $sort: { count: -1 } }], options)
    case '$unwind':
      return compileUnwind(spec)
    case '$facet':
      return compileFacet(spec, options, compilePipeline)
    case '$lookup':
      return compileLookup(spec, options, compilePipeline)
    case '$unionWith':
      return compileUnionWith(spec, options, compilePipeline)
    case '$bucket':
      return compileBucket(spec, options)
    case '$sample':
      return compileSample(spec, options)
    default:
      throw refuseStage(name)
  }
}

const refused = new Set([
  '$graphLookup',
  '$bucketAuto',
  '$redact',
  '$setWindowFields',
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
  '$listSampledQueries',
  '$listSearchIndexes',
  '$listClusterCatalog',
  '$queryStats',
  '$changeStreamSplitLargeEvent',
  '$shardedDataDistribution',
  '$querySettings'
])
const placed = new Set(['$out', '$merge', '$documents', '$changeStream', '$collStats'])

function refuseStage(name: string): MongoError {
  if (refused.has(name)) return unsupported(`the aggregation stage ${name}`)
  if (name === '$out' || name === '$merge')
    return new MongoError(40601, `${name} can only be the final stage in the pipeline`)
  if (placed.has(name)) return new MongoError(40602, `${name} is only valid as the first stage in a pipeline.`)
  return new MongoError(40324, `Unrecognized pipeline stage name: '${name}'`)
}

/** Makes a stage of a function that maps one document to one. */
const mapping = (single: (document: Document, variables?: Variables) => Document): Stage =>
  function* map(source, variables) {
    for (const document of source) yield document === PAUSE ? document : single(document, variables)
  }

function match(spec: unknown, options: PipelineOptions): Stage {
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

/** The form of documents of a pipeline in a scratch file. */
export const documentForm: ItemForm<Document> = { size: sizeOfValue, encode: encodeDocument, decode: decodeDocument }

function sorting(fields: readonly SortField[], options: PipelineOptions): Stage {
  if (options.text !== compareText) return sortingByOrder(fields, options)
  const directions = fields.map(({ direction }) => direction)
  const rowOf = createSortRow(fields, options.text)
  return function* sort(source) {
    const sorter = createSorter(options.scratch, documentForm)
    try {
      for (const document of source) {
        if (document === PAUSE) yield document
        else sorter.add(encodeCompoundKey(rowOf(document), directions), document)
      }
      yield* sorter.sorted()
    } finally {
      sorter.close()
    }
  }
}

/** Sorts in memory, for a collation whose order cannot be encoded in keys. */
const sortingByOrder = (fields: readonly SortField[], options: PipelineOptions): Stage =>
  function* sort(source) {
    const share = options.memory.share('$sort')
    try {
      const documents = yield* collect(source, share)
      yield* sortDocuments(documents, fields, options.text, (document) => document)
    } finally {
      share.release()
    }
  }
