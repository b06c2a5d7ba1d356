import { isDocument, setField, type Document } from '../../bson/document.ts'
import { MongoError } from '../../errors.ts'
import type { Filter } from '../../query/filter.ts'
import type { SortField } from '../../query/sort.ts'
import { sizeOfValue, type Memory, type MemoryShare } from '../../storage/memory.ts'
import { PAUSE, type Stream } from '../../storage/pause.ts'
import type { Scratch } from '../../storage/scratch.ts'
import type { ExpressionOptions } from '../expressions/scope.ts'

export type Variables = ReadonlyMap<string, unknown>

/** Returns the only field of a stage: its name and argument. */
export function onlyField(stage: unknown): [string, unknown] {
  const entries = isDocument(stage) ? Object.entries(stage) : []
  const [first] = entries
  if (!first || entries.length > 1)
    throw new MongoError(40323, 'A pipeline stage specification object must contain exactly one field.')
  return first
}

/** A stage maps a stream of documents to a stream of documents. */
export type Stage = (source: Stream<Document>, variables: Variables) => Stream<Document>

export interface PipelineOptions extends ExpressionOptions {
  /** Streams documents of another collection of the same database. */
  read: (collection: string, filter: Filter, sort: readonly SortField[]) => Stream<Document>
  /** The source of randomness of `$sample`. */
  random: () => number
  /** The budget for data that a stage cannot stream. */
  memory: Memory
  scratch: Scratch
}

/** Compiles the inner pipeline of `$lookup`, `$unionWith` or `$facet`. */
export type CompilePipeline = (stages: readonly unknown[], options: PipelineOptions) => Stage

/** Collects a whole stream and passes on its pauses. Counts the documents in a share of the memory. */
export function* collect(source: Stream<Document>, share: MemoryShare): Generator<typeof PAUSE, Document[], undefined> {
  const documents: Document[] = []
  for (const document of source) {
    if (document === PAUSE) yield document
    else {
      share.hold(sizeOfValue(document))
      documents.push(document)
    }
  }
  return documents
}

export function* streamOf(documents: Iterable<Document>): Stream<Document> {
  yield* documents
}

/** Returns a copy of a document with a value at a path; undefined removes the field. */
export function withField(document: Document, [name = '', ...rest]: readonly string[], value: unknown): Document {
  const result = { ...document }
  const inner = document[name]
  if (rest.length > 0) setField(result, name, withField(isDocument(inner) ? inner : {}, rest, value))
  else if (value === undefined) delete result[name]
  else setField(result, name, value)
  return result
}
