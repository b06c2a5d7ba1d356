import { isDocument, typeName, type Document } from '../bson/document.ts'
import { badValue, failedToParse, MongoError } from '../errors.ts'
import { parseFilter, type Filter } from '../query/filter.ts'
import { compileFilter } from '../query/matcher.ts'
import { isIndex } from '../query/path.ts'
import { shellText } from '../bson/shell-text.ts'
import { createDraft, type Draft } from './draft.ts'
import {
  isOperatorDocument,
  KEEP,
  OPERATORS,
  REMOVE,
  unknownModifier,
  type Operator,
  type OperatorOptions
} from './operators.ts'
import { positionalIndex } from './positional.ts'

/** Makes a document of one that was found (or, for an upsert, of the one the query describes). */
export type Updater = {
  /** Whole-document replacement, which change streams tell apart from an update. */
  replaces: boolean
  apply(document: Document, query: Filter, inserting: boolean): Updated
}

/** `paths`: the fields that operators wrote to, for change streams; null when that is not known. */
export type Updated = { document: Document; paths: string[][] | null }

type Step =
  | { path: string; parts: string[]; operator: Operator; skipOnMissing: boolean }
  | { path: string; parts: string[]; to: string[] }

export type UpdaterOptions = OperatorOptions & {
  arrayFilters: readonly Document[]
  /** Compiles a pipeline-style update. */
  pipeline: (stages: readonly unknown[]) => (document: Document) => Document
}

/** Reads an update: operators, a replacement document, or a pipeline. */
export const parseUpdate = (update: unknown, options: UpdaterOptions): Updater => {
  if (Array.isArray(update)) {
    if (options.arrayFilters.length > 0) throw failedToParse('Cannot specify arrayFilters and a pipeline update')
    const run = options.pipeline(update)
    return { replaces: false, apply: (document) => ({ document: keepId(document, run(document)), paths: null }) }
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
    return { replaces: true, apply: (document) => ({ document: replaceWith(document, update), paths: null }) }
  }
  const filters = parseArrayFilters(options.arrayFilters, options)
  const steps = parseSteps(update, options, filters)
  return {
    replaces: false,
    apply: (document, query, inserting) => {
      const draft = createDraft(document)
      const paths: string[][] = []
      for (const step of steps) paths.push(...applyStep(step, draft, { query, inserting, filters, options }))
      return { document: keepId(document, draft.root), paths }
    }
  }
}

const replaceWith = (document: Document, replacement: Document): Document => {
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

const keepId = (before: Document, after: Document): Document => {
  if (before['_id'] === undefined) return after
  if (after['_id'] === undefined) return { _id: before['_id'], ...after }
  if (after['_id'] !== before['_id'] && shellText(after['_id']) !== shellText(before['_id']))
    throw alteredId(after['_id'])
  return after
}

type ArrayFilters = Map<string, { test: (element: unknown) => boolean; used: boolean }>

const parseArrayFilters = (asked: readonly Document[], options: UpdaterOptions): ArrayFilters => {
  const filters: ArrayFilters = new Map()
  for (const filter of asked) {
    const names = new Set(topFields(filter))
    const [name] = names
    if (name === undefined)
      throw failedToParse('Cannot use an expression without a top-level field name in arrayFilters')
    if (names.size > 1) {
      throw failedToParse(
        `Error parsing array filter :: caused by :: Expected a single top-level field name, found '${[...names].join("' and '")}'`
      )
    }
    if (!/^[a-z][a-zA-Z0-9]*$/.test(name)) {
      throw badValue(
        `Error parsing array filter :: caused by :: The top-level field name must be an alphanumeric string beginning with a lowercase letter, found '${name}'`
      )
    }
    if (filters.has(name))
      throw failedToParse(`Found multiple array filters with the same top-level field name ${name}`)
    const test = compileFilter(parseFilter(filter), options)
    filters.set(name, { test: (element) => test({ [name]: element }), used: false })
  }
  return filters
}

const topFields = (filter: Document): string[] =>
  Object.entries(filter).flatMap(([name, value]) =>
    name.startsWith('$')
      ? Array.isArray(value)
        ? value.filter(isDocument).flatMap(topFields)
        : []
      : [name.split('.')[0] ?? '']
  )

/** Fields are written in the order of their names (numbers by value), as MongoDB does since 5.0. */
const byPath = (a: { parts: string[] }, b: { parts: string[] }): number => {
  for (let i = 0; i < Math.min(a.parts.length, b.parts.length); i++) {
    const x = a.parts[i] ?? ''
    const y = b.parts[i] ?? ''
    if (x === y) continue
    if (isIndex(x) && isIndex(y)) return Number(x) - Number(y)
    return x < y ? -1 : 1
  }
  return a.parts.length - b.parts.length
}

function parseSteps(update: Document, options: UpdaterOptions, filters: ArrayFilters): Step[] {
  const steps: Step[] = []
  for (const [name, fields] of Object.entries(update)) {
    const factory = OPERATORS[name]
    if (!factory && name !== '$rename') throw unknownModifier(name)
    if (!isDocument(fields)) {
      throw failedToParse(
        `Modifiers operate on fields but we found type ${typeName(fields)} instead. For example: {$mod: {<field>: ...}} not {${name}: ${shellText(fields)}}`
      )
    }
    for (const [path, argument] of Object.entries(fields)) {
      const parts = parsePath(path, filters)
      if (factory)
        steps.push({ path, parts, operator: factory(argument, path, options), skipOnMissing: name === '$unset' })
      else steps.push(renameStep(path, parts, argument))
    }
  }
  checkConflicts(steps)
  for (const [name, filter] of filters) {
    if (!filter.used) {
      throw failedToParse(`The array filter for identifier '${name}' was not used in the update ${shellText(update)}`)
    }
  }
  return steps.toSorted(byPath)
}

function parsePath(path: string, filters: ArrayFilters): string[] {
  const parts = path.split('.')
  if (parts.includes('')) {
    throw new MongoError(56, `The update path '${path}' contains an empty field name, which is not allowed.`)
  }
  for (const [i, part] of parts.entries()) {
    if (!part.startsWith('$')) continue
    if (i === 0 && (part === '$' || part.startsWith('$['))) {
      throw badValue(
        `Cannot have ${part === '$' ? "positional (i.e. '$') element" : `array filter identifier (i.e. '$[<id>]') element`} in the first position in path '${path}'`
      )
    }
    if (part === '$' || part === '$[]') continue
    const id = /^\$\[([^\]]*)\]$/.exec(part)?.[1]
    if (id === undefined) {
      if (['$ref', '$id', '$db'].includes(part)) continue
      throw new MongoError(
        52,
        `The dollar ($) prefixed field '${part}' in '${path}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`
      )
    }
    const filter = filters.get(id)
    if (!filter) throw badValue(`No array filter found for identifier '${id}' in path '${path}'`)
    filter.used = true
  }
  return parts
}

function renameStep(path: string, parts: string[], target: unknown): Step {
  if (typeof target !== 'string') {
    throw badValue(`The 'to' field for $rename must be a string: ${path}: ${shellText(target)}`)
  }
  if (target === path) throw badValue(`The source and target field for $rename must differ: ${path}: "${target}"`)
  if (`${path}.${target}`.includes('$')) throw badValue(`The source field for $rename may not be dynamic: ${path}`)
  return { path, parts, to: parsePath(target, new Map()) }
}

function checkConflicts(steps: readonly Step[]): void {
  const paths = steps.flatMap((step) => ('to' in step ? [step.path, step.to.join('.')] : [step.path])).toSorted()
  const seen = new Set<string>()
  for (const path of paths) {
    const parts = path.split('.')
    if (seen.has(path)) throw conflict(path, path)
    for (let i = 1; i < parts.length; i++) {
      const parent = parts.slice(0, i).join('.')
      if (seen.has(parent)) throw conflict(path, parent)
    }
    seen.add(path)
  }
}

const conflict = (path: string, at: string): MongoError =>
  new MongoError(40, `Updating the path '${path}' would create a conflict at '${at}'`)

type StepOptions = { query: Filter; inserting: boolean; filters: ArrayFilters; options: UpdaterOptions }

/** Does one step; answers the paths it wrote to. */
function applyStep(step: Step, draft: Draft, { query, inserting, filters, options }: StepOptions): string[][] {
  if ('to' in step) return rename(step, draft)
  const touched: string[][] = []
  for (const path of concretePaths(step, draft, query, filters, options)) {
    const value = draft.get(path)
    const next = step.operator(value, { path: path.join('.'), id: draft.root['_id'], inserting })
    if (next === KEEP || next === value) continue
    if (path[0] === '_id') checkId(path, value, next)
    touched.push(path)
    if (next === REMOVE) draft.unset(path)
    else draft.set(path, next)
  }
  return touched
}

/** `_id` may be set by an insert, and to what it is already. */
const checkId = (path: readonly string[], value: unknown, next: unknown): void => {
  const same = next !== REMOVE && (value === undefined ? path.length === 1 : shellText(value) === shellText(next))
  if (same) return
  throw new MongoError(66, "Performing an update on the path '_id' would modify the immutable field '_id'")
}

function rename(step: { path: string; parts: string[]; to: string[] }, draft: Draft): string[][] {
  for (const parts of [step.parts, step.to]) {
    for (let i = 1; i < parts.length; i++) {
      if (Array.isArray(draft.get(parts.slice(0, i)))) {
        const which = parts === step.parts ? 'source' : 'destination'
        throw badValue(
          `The ${which} field cannot be an array element, '${parts.join('.')}' in doc with _id: ${shellText(draft.root['_id'])} has an array field called '${parts[i - 1] ?? ''}'`
        )
      }
    }
  }
  const value = draft.get(step.parts)
  if (value === undefined) return []
  draft.unset(step.parts)
  draft.set(step.to, value)
  return [step.parts, step.to]
}

/** Puts array positions in the place of `$`, `$[]` and `$[id]`. */
function concretePaths(
  step: { path: string; parts: string[] },
  draft: Draft,
  query: Filter,
  filters: ArrayFilters,
  options: UpdaterOptions
): string[][] {
  if (!step.path.includes('$')) return [step.parts]
  let paths: string[][] = [[]]
  for (const part of step.parts) {
    if (part === '$') {
      paths = paths.map((path) => [...path, String(positionalIndex(query, path.join('.'), draft.root, options))])
    } else if (part.startsWith('$[')) {
      const filter = part === '$[]' ? null : filters.get(part.slice(2, -1))
      paths = paths.flatMap((path) =>
        arrayPositions(draft, path, filter?.test ?? (() => true)).map((i) => [...path, String(i)])
      )
    } else paths = paths.map((path) => [...path, part])
  }
  return paths
}

function arrayPositions(draft: Draft, path: readonly string[], test: (element: unknown) => boolean): number[] {
  const array = draft.get(path)
  if (array === undefined) {
    throw badValue(`The path '${path.join('.')}' must exist in the document in order to apply array updates.`)
  }
  if (!Array.isArray(array)) {
    throw badValue(`Cannot apply array updates to non-array element ${path.at(-1) ?? ''}: ${shellText(array)}`)
  }
  return array.flatMap((element, i) => (test(element) ? [i] : []))
}
