import { isDocument, typeName, type Document } from '../bson/document.ts'
import { shellText } from '../bson/shell-text.ts'
import { badValue, failedToParse, MongoError } from '../errors.ts'
import { isIndex } from '../query/path.ts'
import type { ArrayFilters } from './array-filters.ts'
import { operators, unknownModifier, type Operator, type OperatorOptions } from './operators.ts'

/** Operators that take elements out of an array: where there can be none, they are refused. */
const takesOut: ReadonlySet<string> = new Set(['$pop', '$pull', '$pullAll'])

/** One field of one operator: a path and its change; `to` is the target of a `$rename`. */
export type Step =
  | { path: string; parts: string[]; operator: Operator; takesOut: boolean }
  | { path: string; parts: string[]; to: string[] }

/** Orders fields by name (numbers by value), in which they are written as in MongoDB since 5.0. */
function byPath(a: { parts: string[] }, b: { parts: string[] }): number {
  for (let i = 0; i < Math.min(a.parts.length, b.parts.length); i++) {
    const x = a.parts[i] ?? ''
    const y = b.parts[i] ?? ''
    if (x === y) continue
    if (isIndex(x) && isIndex(y)) return Number(x) - Number(y)
    return x < y ? -1 : 1
  }
  return a.parts.length - b.parts.length
}

/** Parses an operator document. Returns its steps in the order of execution. */
export function parseSteps(update: Document, options: OperatorOptions, filters: ArrayFilters): Step[] {
  const steps: Step[] = []
  for (const [name, fields] of Object.entries(update)) {
    const factory = operators[name]
    if (!factory && name !== '$rename') throw unknownModifier(name)
    if (!isDocument(fields)) {
      throw failedToParse(
        `Modifiers operate on fields but we found type ${typeName(fields)} instead. For example: {$mod: {<field>: ...}} not {${name}: ${shellText(fields)}}`
      )
    }
    for (const [path, argument] of Object.entries(fields)) {
      const parts = parsePath(path, filters)
      if (factory) steps.push({ path, parts, operator: factory(argument, path, options), takesOut: takesOut.has(name) })
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
  const isName = path !== '' && !path.includes('.') && !path.includes('$')
  if (isName) return [path]
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
  const paths: string[] = []
  for (const step of steps) {
    paths.push(step.path)
    if ('to' in step) paths.push(step.to.join('.'))
  }
  // Distinct top-level names cannot conflict.
  if (!paths.some((path) => path.includes('.')) && new Set(paths).size === paths.length) return
  // A parent comes before its children.
  paths.sort()
  const seen = new Set<string>()
  for (const path of paths) {
    if (seen.has(path)) throw conflict(path, path)
    for (let dot = path.indexOf('.'); dot !== -1; dot = path.indexOf('.', dot + 1)) {
      const parent = path.slice(0, dot)
      if (seen.has(parent)) throw conflict(path, parent)
    }
    seen.add(path)
  }
}

const conflict = (path: string, at: string): MongoError =>
  new MongoError(40, `Updating the path '${path}' would create a conflict at '${at}'`)
