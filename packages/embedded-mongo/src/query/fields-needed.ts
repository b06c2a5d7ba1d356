import { isDocument, type Document } from '../bson/document.ts'
import { topOf } from './path.ts'

/** Returns the fields that an inclusive projection keeps; null when a projection may read any. */
export function fieldsOfProjection(projection: unknown): Set<string> | null {
  if (!isDocument(projection)) return null
  const names = Object.entries(projection)
  const keeps = names.some(([name, value]) => name !== '_id' && isYes(value)) || isYes(projection['_id'])
  const isPlain = names.every(
    ([name, value]) => !name.includes('$') && (isYes(value) || (name === '_id' && isNo(value)))
  )
  return keeps && isPlain ? new Set(['_id', ...names.map(([name]) => topOf(name))]) : null
}

/** Returns the fields that a first `$group` reads, which uses nothing else of the document; null when it may read any. */
export function fieldsOfGroup(stage: Document | undefined): Set<string> | null {
  const spec = stage?.['$group']
  const fields = new Set<string>()
  return spec !== undefined && addFields(spec, fields) ? fields : null
}

/** Adds the fields that an expression names. Returns false when it may read others. */
function addFields(value: unknown, fields: Set<string>): boolean {
  if (typeof value === 'string') {
    if (value.startsWith('$$')) return false
    if (value.startsWith('$')) fields.add(topOf(value.slice(1)))
    return true
  }
  if (Array.isArray(value)) return value.every((each) => addFields(each, fields))
  if (!isDocument(value)) return true
  return Object.entries(value).every(([name, inner]) => !lookAround.has(name) && addFields(inner, fields))
}

/** Operators that read a field by a name without `$`. */
const lookAround = new Set(['$getField', '$setField', '$unsetField'])

const isYes = (value: unknown): boolean => value === 1 || value === true
const isNo = (value: unknown): boolean => value === 0 || value === false
