import { isDocument, type Document } from '../bson/document.ts'
import { failedToParse, MongoError } from '../errors.ts'
import type { Filter } from '../query/filter.ts'
import { shellText } from '../bson/shell-text.ts'
import { applyStep, placeSteps } from './apply-step.ts'
import { parseArrayFilters } from './array-filters.ts'
import { createDraft } from './draft.ts'
import { fillTimestamps } from './fill-timestamps.ts'
import { isOperatorDocument, type OperatorOptions } from './operators.ts'
import { parseSteps } from './steps.ts'

/** Computes the new document from a found one (or, for an upsert, from the one that the query describes). */
export interface Updater {
  /** True for the replacement of a whole document, which change streams distinguish from an update. */
  replaces: boolean
  /** An equal result counts as a change, like a replacement without `_id` in MongoDB. */
  alwaysChanges: boolean
  apply(document: Document, match: { query: Filter; inserting: boolean }): Updated
}

/** `paths` are the fields that operators wrote to, for change streams; null when unknown. */
export interface Updated {
  document: Document
  paths: string[][] | null
}

export interface UpdaterOptions extends OperatorOptions {
  arrayFilters: readonly Document[]
  /** Compiles a pipeline-style update. */
  pipeline: (stages: readonly unknown[]) => (document: Document) => Document
}

/** Parses an update: operators, a replacement document, or a pipeline. */
export function parseUpdate(update: unknown, options: UpdaterOptions): Updater {
  if (Array.isArray(update)) {
    if (options.arrayFilters.length > 0) throw failedToParse('Cannot specify arrayFilters and a pipeline update')
    const run = options.pipeline(update)
    return {
      replaces: false,
      alwaysChanges: false,
      apply: (document) => ({ document: keepId(document, run(document)), paths: null })
    }
  }
  if (!isDocument(update)) throw failedToParse('Update argument must be either an object or an array')
  if (!isOperatorDocument(update)) {
    for (const name of Object.keys(update)) {
      if (name.startsWith('$')) {
        throw new MongoError(
          52,
          `The dollar ($) prefixed field '${name}' in '${name}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`
        )
      }
    }
    return {
      replaces: true,
      alwaysChanges: !Object.hasOwn(update, '_id'),
      apply: (document) => ({ document: replaceWith(document, fillTimestamps(update, options.timestamp)), paths: null })
    }
  }
  const filters = parseArrayFilters(options.arrayFilters, options)
  const steps = parseSteps(update, options, filters)
  return {
    replaces: false,
    alwaysChanges: false,
    apply: (document, { query, inserting }) => {
      const draft = createDraft(document)
      const paths: string[][] = []
      const placed = placeSteps(steps, draft, { query, filters, options })
      for (const step of placed) applyStep(step, draft, paths, inserting)
      return { document: keepId(document, draft.root), paths }
    }
  }
}

function replaceWith(document: Document, replacement: Document): Document {
  const id = document['_id']
  const asked = replacement['_id']
  if (asked !== undefined && id !== undefined && shellText(asked) !== shellText(id)) throw alteredId(asked)
  const { _id: _, ...rest } = replacement
  const kept = id ?? asked
  return kept === undefined ? { ...rest } : { _id: kept, ...rest }
}

const alteredId = (id: unknown): MongoError =>
  new MongoError(
    66,
    `After applying the update, the (immutable) field '_id' was found to have been altered to _id: ${shellText(id)}`
  )

/** Returns the new document with the old `_id`. @throws MongoError 66 when it has a different one. */
export function keepId(before: Document, after: Document): Document {
  if (before['_id'] === undefined) return after
  if (after['_id'] === undefined) return { _id: before['_id'], ...after }
  if (after['_id'] !== before['_id'] && shellText(after['_id']) !== shellText(before['_id']))
    throw alteredId(after['_id'])
  return after
}
