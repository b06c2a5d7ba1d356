import { isDocument, type Document } from '../../bson/document.ts'
import { MongoError } from '../../errors.ts'
import type { Filter } from '../../query/filter.ts'
import type { SortField } from '../../query/sort.ts'
import { sizeOfValue, type Memory, type MemoryShare } from '../../storage/memory.ts'
import { PAUSE, type Stream } from '../../storage/pause.ts'
import type { Scratch } from '../../storage/scratch.ts'
import type { ExpressionOptions } from '../expressions/scope.ts'

export type Variables = ReadonlyMap<string, unknown>

/** The one field of a stage: its name and what it is given. */
export function onlyField(stage: unknown): [string, unknown] {
  const entries = isDocument(stage) ? Object.entries(stage) : []
  const [first] = entries
  if (!first || entries.length > 1)
    throw new MongoError(40323, 'A pipeline stage specification object must contain exactly one field.')
  return first
}

/** A stage makes a stream of documents of a stream of documents. */
export type Stage = (source: Stream<Document>, variables: Variables) => Stream<Document>

export interface PipelineOptions extends ExpressionOptions {
  /** Documents of another collection of the same database, found by a filter. */
  read: (collection: string, filter: Filter, sort: readonly SortField[]) => Stream<Document>
  /** `$$NOW`-like: randomness of `$sample`. */
  random: () => number
  /** For what a stage must hold whole. */
  memory: Memory
  scratch: Scratch
}

/** Compiles a pipeline inside a stage: of `$lookup`, `$unionWith`, `$facet`. */
export type CompilePipeline = (stages: readonly unknown[], options: PipelineOptions) => Stage

/** Takes a stream to its end; its pauses are passed on. What it holds is counted in a share of the memory. */
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
