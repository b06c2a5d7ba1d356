import { isDocument, getField, type Document } from '../bson/document.ts'

export const splitPath = (path: string): string[] => path.split('.')

/** Returns the first field of a path. */
export const topOf = (path: string): string => path.split('.')[0] ?? ''

/** Tells whether a part of a path is a position. The first character excludes most names without the regular expression. */
export const isIndex = (part: string): boolean => part.charCodeAt(0) <= 0x39 && /^(0|[1-9]\d*)$/.test(part)

/**
 * Visits the values of a path like MongoDB's matcher: enters arrays on the path element by element (a number is also a
 * position); visits a leaf array as a whole and by element; visits undefined for a missing value. Stops at the first visit
 * that returns true.
 */
export const somePathValue = (root: unknown, parts: readonly string[], leafArrays: LeafArrays, visit: Visit): boolean =>
  walk(root, parts, 0, leafArrays, visit)

export type LeafArrays = 'whole' | 'elements and whole'
type Visit = (value: unknown) => boolean

/** `at`: the first part of the path that is below `value`. */
function walk(value: unknown, parts: readonly string[], at: number, leafArrays: LeafArrays, visit: Visit): boolean {
  let current = value
  for (let i = at; i < parts.length; i++) {
    if (Array.isArray(current)) return walkArray(current, parts, i, leafArrays, visit)
    if (!isDocument(current)) return visit(undefined)
    current = getField(current, parts[i] ?? '')
    if (current === undefined) return visit(undefined)
  }
  if (Array.isArray(current) && leafArrays === 'elements and whole') {
    for (const element of current) if (visit(element)) return true
  }
  return visit(current)
}

function walkArray(
  array: readonly unknown[],
  parts: readonly string[],
  at: number,
  leafArrays: LeafArrays,
  visit: Visit
): boolean {
  for (const element of array) {
    if (isDocument(element) && walk(element, parts, at, leafArrays, visit)) return true
  }
  const part = parts[at] ?? ''
  if (!isIndex(part)) return false
  const index = Number(part)
  if (index >= array.length) return false
  const element = array[index]
  // The value at a position is visited as a whole, even if it is an array.
  if (at === parts.length - 1) return visit(element)
  return isDocument(element) || Array.isArray(element) ? walk(element, parts, at + 1, leafArrays, visit) : false
}

/** Returns the values of a path like `distinct`, with leaf arrays by element. */
export function pathElements(root: Document, path: string): unknown[] {
  const found: unknown[] = []
  somePathValue(root, splitPath(path), 'whole', (value) => {
    if (Array.isArray(value)) found.push(...(value as unknown[]))
    else if (value !== undefined) found.push(value)
    return false
  })
  return found
}

/** Returns the value at a path without entering arrays (a number is still a position). */
export function plainValue(root: unknown, path: string): unknown {
  let current = root
  for (const part of splitPath(path)) {
    if (Array.isArray(current)) current = isIndex(part) ? current[Number(part)] : undefined
    else if (isDocument(current)) current = getField(current, part)
    else return undefined
  }
  return current
}
