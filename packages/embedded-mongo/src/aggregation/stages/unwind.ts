import { Long } from 'bson'
import { isDocument, typeName } from '../../bson/document.ts'
import { MongoError } from '../../errors.ts'
import { plainValue } from '../../query/path.ts'
import { PAUSE } from '../../storage/pause.ts'
import { withField, type Stage } from './stage.ts'

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
  return function* unwinding(source) {
    for (const document of source) {
      if (document === PAUSE) {
        yield document
        continue
      }
      const value = plainValue(document, path.slice(1))
      if (Array.isArray(value) && value.length > 0) {
        for (const [i, element] of value.entries()) {
          const one = withField(document, parts, element)
          yield index === null ? one : withField(one, index.split('.'), Long.fromNumber(i))
        }
      } else if (value !== null && value !== undefined && !Array.isArray(value)) {
        yield index === null ? document : withField(document, index.split('.'), null)
      } else if (preserveNullAndEmptyArrays === true) {
        const kept = Array.isArray(value) ? withField(document, parts, undefined) : document
        yield index === null ? kept : withField(kept, index.split('.'), null)
      }
    }
  }
}
