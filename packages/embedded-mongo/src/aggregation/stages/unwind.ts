import { Long } from 'bson'
import { isDocument, setField, typeName, type Document } from '../../bson/document.ts'
import { MongoError } from '../../errors.ts'
import { plainValue } from '../../query/path.ts'
import { PAUSE } from '../../storage/pause.ts'
import type { Stage } from './stage.ts'

/** `$unwind`: makes one document per element of an array. */
export function compileUnwind(spec: unknown): Stage {
  const given = typeof spec === 'string' ? { path: spec } : spec
  if (!isDocument(given))
    throw new MongoError(
      15981,
      `expected either a string or an object as specification for $unwind stage, got ${typeName(spec)}`
    )
  const { path, includeArrayIndex, preserveNullAndEmptyArrays } = given
  if (typeof path !== 'string')
    throw new MongoError(28808, `expected a string as the path for $unwind stage, got ${typeName(path)}`)
  if (!path.startsWith('$'))
    throw new MongoError(28818, `path option to $unwind stage should be prefixed with a '$': ${path}`)
  const parts = path.slice(1).split('.')
  const index = typeof includeArrayIndex === 'string' ? includeArrayIndex : null
  const put = (document: Document, names: readonly string[], value: unknown): Document => {
    const [name = '', ...rest] = names
    const result = { ...document }
    if (rest.length === 0) {
      if (value === undefined) delete result[name]
      else setField(result, name, value)
    } else {
      const inner = document[name]
      setField(result, name, put(isDocument(inner) ? inner : {}, rest, value))
    }
    return result
  }
  return function* unwinding(source) {
    for (const document of source) {
      if (document === PAUSE) {
        yield document
        continue
      }
      const value = plainValue(document, path.slice(1))
      if (Array.isArray(value) && value.length > 0) {
        for (const [i, element] of value.entries()) {
          const one = put(document, parts, element)
          yield index === null ? one : put(one, index.split('.'), Long.fromNumber(i))
        }
      } else if (value !== null && value !== undefined && !Array.isArray(value)) {
        yield index === null ? document : put(document, index.split('.'), null)
      } else if (preserveNullAndEmptyArrays === true) {
        const kept = Array.isArray(value) ? put(document, parts, undefined) : document
        yield index === null ? kept : put(kept, index.split('.'), null)
      }
    }
  }
}
