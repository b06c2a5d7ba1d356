import type { FieldFault } from '@batti/contracts'
import type { z } from 'zod'
import { validationError } from '../app-error.ts'

const dangerousKeys = new Set<string | number>(['__proto__', 'constructor', 'prototype'])
const maxDepth = 20
/** Longer than any text of a body, and short enough for checks of a schema that take quadratic time. */
const maxText = 16_384

/** More than a person reads; a list of thousands of wrong values has one for each. */
const faultsMax = 100

/** Converts zod's issues to the faults of an error body, the first hundred of them. */
export function faultsOf(error: z.ZodError): FieldFault[] {
  return error.issues
    .slice(0, faultsMax)
    .map((issue) => ({ path: issue.path.map(String).join('.') || 'body', message: messageOf(issue) }))
}

/** Keeps the messages of our schemas, and rewrites zod's default ones into instructions. */
function messageOf(issue: z.core.$ZodIssue): string {
  if (!/^(Invalid|Too|Unrecognized|Expected)/.test(issue.message)) return issue.message
  switch (issue.code) {
    case 'invalid_type':
      return issue.message.includes('received undefined') ? 'is required' : `must be ${withArticle(issue.expected)}`
    case 'too_big':
      return boundOf(issue.origin, `at most ${String(issue.maximum)}`)
    case 'too_small':
      if (issue.origin === 'string' && Number(issue.minimum) === 1) return 'is required'
      return boundOf(issue.origin, `at least ${String(issue.minimum)}`)
    case 'invalid_value':
      return `must be ${issue.values.map(String).join(' or ')}`
    default:
      return `is not valid (${issue.message})`
  }
}

/** Says what a bound counts: the characters of a text, the entries of a list, or a number itself. */
function boundOf(origin: string, bound: string): string {
  if (origin === 'array') return `must have ${bound} entries`
  return origin === 'string' ? `must be ${bound} characters` : `must be ${bound}`
}

const typeNames: Record<string, string> = { int: 'a whole number', array: 'a list', date: 'a date' }
const withArticle = (type: string): string => typeNames[type] ?? (/^[aeio]/.test(type) ? `an ${type}` : `a ${type}`)

/**
 * Parses `input` with `schema`.
 * @throws AppError VALIDATION naming every faulty field.
 */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  throw validationError(faultsOf(parsed.error))
}

/**
 * Refuses bodies that target prototypes, nest too deeply or contain an endless text, and fields the caller may not set
 * (`set.name`: a nested one).
 */
export function checkBody(body: unknown, forbiddenFields: readonly string[]): void {
  const errors: FieldFault[] = []
  visit(body, [], errors)
  for (const field of forbiddenFields) {
    if (hasField(body, field.split('.'))) errors.push({ path: field, message: 'may not be set by this call' })
  }
  if (errors.length > 0) throw validationError(errors)
}

/** Whether a body has a field at this path. */
function hasField(value: unknown, [name, ...inner]: readonly string[]): boolean {
  if (name === undefined) return true
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return false
  return hasField(Reflect.get(value, name), inner)
}

/** @throws AppError VALIDATION if `field` was sent as text instead of a file: it would be ignored silently. */
export function refuseFileAsText(body: unknown, field: string): void {
  const sent: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, field) : undefined
  // An empty form field requests nothing.
  if (sent !== undefined && sent !== '')
    throw validationError([{ path: field, message: 'must be a file of a form (multipart/form-data)' }])
}

/** Collects the faults of a value. Only a fault is given its path in words: a small body may have a hundred thousand values. */
function visit(value: unknown, path: (string | number)[], errors: FieldFault[]): void {
  if (typeof value === 'string' && value.length > maxText)
    errors.push({ path: path.join('.'), message: `must be at most ${maxText} characters` })
  if (typeof value !== 'object' || value === null) return
  if (path.length > maxDepth) {
    errors.push({ path: path.join('.').slice(0, 60), message: `must not nest deeper than ${maxDepth} levels` })
    return
  }
  for (const name of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    path.push(name)
    if (dangerousKeys.has(name)) errors.push({ path: path.join('.'), message: 'is not a field' })
    else if (errors.length < 20) visit(Reflect.get(value, name), path, errors)
    path.pop()
  }
}
