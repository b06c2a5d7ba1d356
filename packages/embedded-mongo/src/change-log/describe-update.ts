import { identicalValues } from '../bson/compare.ts'
import { isDocument, setField, type Document } from '../bson/document.ts'
import { plainValue } from '../query/path.ts'

export interface UpdateDescription {
  updatedFields: Document
  removedFields: string[]
  truncatedArrays: { field: string; newSize: number }[]
}

/**
 * Describes an update in the format of a change event. `paths` are the paths that its operators wrote to; without them
 * the two documents are compared field by field.
 */
export function describeUpdate(before: Document, after: Document, paths: string[][] | null): UpdateDescription {
  const description: UpdateDescription = { updatedFields: {}, removedFields: [], truncatedArrays: [] }
  if (paths === null) {
    compareFields(before, after, '', description)
    return description
  }
  for (const parts of paths) {
    const path = createdPath(before, parts)
    const old = plainValue(before, path)
    const now = plainValue(after, path)
    if (now === undefined) {
      if (old !== undefined) description.removedFields.push(path)
    } else if (!identicalValues(old, now)) describeValue(old, now, path, description)
  }
  return description
}

/** Returns a path only as far as its first field that the document did not have: what was created there is described whole. */
function createdPath(before: Document, parts: readonly string[]): string {
  const [first = '', ...rest] = parts
  let path = first
  for (const part of rest) {
    if (plainValue(before, path) === undefined) break
    path += `.${part}`
  }
  return path
}

/** Describes a changed value. An array that only grew is described by its new elements. */
function describeValue(old: unknown, now: unknown, path: string, { updatedFields }: UpdateDescription): void {
  if (
    Array.isArray(old) &&
    Array.isArray(now) &&
    now.length > old.length &&
    old.length > 0 &&
    old.every((element, i) => identicalValues(element, now[i]))
  ) {
    for (let i = old.length; i < now.length; i++) setField(updatedFields, `${path}.${i}`, now[i])
  } else setField(updatedFields, path, now)
}

function compareFields(before: Document, after: Document, prefix: string, description: UpdateDescription): void {
  for (const field of Object.keys(before)) {
    if (!Object.hasOwn(after, field)) description.removedFields.push(prefix + field)
  }
  for (const [field, now] of Object.entries(after)) {
    const old = Object.hasOwn(before, field) ? before[field] : undefined
    const path = prefix + field
    if (identicalValues(old, now)) continue
    if (isDocument(old) && isDocument(now)) compareFields(old, now, `${path}.`, description)
    else if (Array.isArray(old) && Array.isArray(now)) compareArrays(old, now, path, description)
    else setField(description.updatedFields, path, now)
  }
}

function compareArrays(
  old: readonly unknown[],
  now: readonly unknown[],
  path: string,
  description: UpdateDescription
): void {
  for (const [i, element] of now.entries()) {
    if (i >= old.length || !identicalValues(old[i], element))
      setField(description.updatedFields, `${path}.${i}`, element)
  }
  if (now.length < old.length) description.truncatedArrays.push({ field: path, newSize: now.length })
}
