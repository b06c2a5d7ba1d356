import { isDocument, type Document } from '../bson/document.ts'
import { topOf } from './path.ts'

/** The fields of a document that a projection keeps, where it only keeps; null where it may look at any. */
export function fieldsOfProjection(projection: unknown): Set<string> | null {
  if (!isDocument(projection)) return null
  const names = Object.entries(projection)
  const keeps = names.some(([name, value]) => name !== '_id' && isYes(value)) || isYes(projection['_id'])
  const isPlain = names.every(
    ([name, value]) => !name.includes('$') && (isYes(value) || (name === '_id' && isNo(value)))
  )
  return keeps && isPlain ? new Set(['_id', ...names.map(([name]) => topOf(name))]) : null
}

/** The fields that a first `$group` reads, after which nothing of the document is left; null where it may read any. */
export function fieldsOfGroup(stage: Document | undefined): Set<string> | null {
  const spec = stage?.['$group']
  const fields = new Set<string>()
  return spec !== undefined && addFields(spec, fields) ? fields : null
}

/** False where an expression may look beyond the fields that it names. */
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

/** Operators that read a field without a path in front of which a sign stands. */
const lookAround = new Set(['$getField', '$setField', '$unsetField'])

const isYes = (value: unknown): boolean => value === 1 || value === true
const isNo = (value: unknown): boolean => value === 0 || value === false
