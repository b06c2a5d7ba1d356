import { getField, isDocument, setField, type Document } from '../bson/document.ts'
import { shellText } from '../bson/shell-text.ts'
import { badValue, MongoError } from '../errors.ts'
import { isIndex } from '../query/path.ts'

/** A document that is being changed. Containers are copied on the first write. */
export interface Draft {
  readonly root: Document
  get(path: readonly string[]): unknown
  /** Sets a value, and creates missing documents on its path. Throws PathNotViable when there is a scalar on the path. */
  set(path: readonly string[], value: unknown): void
  unset(path: readonly string[]): void
  /** @throws PathNotViable when a value on the path keeps it from ever existing: a scalar, or an array before a name. */
  checkViable(path: readonly string[]): void
}

/** Maximum padding, as in MongoDB, of an array that is written beyond its end. */
const MAX_PADDING = 1_500_000

export function createDraft(original: Document): Draft {
  const owned = new WeakSet<object>()
  const copy = <T extends object>(container: T): T => {
    if (owned.has(container)) return container
    const fresh = (Array.isArray(container) ? [...container] : copyDocument(container as Document)) as T
    owned.add(fresh)
    return fresh
  }
  const root = copy(original)

  const child = (container: unknown, part: string): unknown => {
    if (Array.isArray(container)) return isIndex(part) ? container[Number(part)] : undefined
    return isDocument(container) ? getField(container, part) : undefined
  }

  const put = (container: object, part: string, value: unknown): void => {
    if (!Array.isArray(container)) return setField(container as Document, part, value)
    const index = Number(part)
    if (index - container.length > MAX_PADDING) throw badValue(`Too many padded entries in the array: ${index}`)
    while (container.length < index) container.push(null)
    container[index] = value
  }

  /** Copies the containers on a path, creates missing ones, and returns the one that contains the last part. */
  const enter = (path: readonly string[]): object => {
    let container: object = root
    for (let i = 0; i < path.length - 1; i++) {
      const part = path[i] ?? ''
      checkPlace(container, part, path[i - 1])
      const next = child(container, part)
      if (next === undefined) {
        const fresh: Document = {}
        owned.add(fresh)
        put(container, part, fresh)
        container = fresh
      } else if (Array.isArray(next) || isDocument(next)) {
        const own = copy(next)
        if (own !== next) put(container, part, own)
        container = own
      } else
        throw new MongoError(28, `Cannot create field '${path[i + 1] ?? ''}' in element {${part}: ${shellText(next)}}`)
    }
    return container
  }

  const get = (path: readonly string[]): unknown => {
    let value: unknown = root
    for (const part of path) {
      value = child(value, part)
      if (value === undefined) return undefined
    }
    return value
  }

  return {
    root,
    get,
    set: (path, value) => {
      const container = enter(path)
      const last = path.at(-1) ?? ''
      checkPlace(container, last, path.at(-2))
      put(container, last, value)
    },
    unset: (path) => {
      // Copy and create nothing for a missing field.
      if (get(path) === undefined) return
      const container = enter(path)
      const last = path.at(-1) ?? ''
      if (Array.isArray(container)) container[Number(last)] = null
      else delete (container as Document)[last]
    },
    checkViable: (path) => {
      let value: unknown = root
      for (const [i, part] of path.entries()) {
        if (value === undefined) return
        if (Array.isArray(value) ? isIndex(part) : isDocument(value)) value = child(value, part)
        else
          throw new MongoError(
            28,
            `Cannot use the part (${part}) of (${path.join('.')}) to traverse the element ({${path[i - 1] ?? ''}: ${shellText(value)}})`
          )
      }
    }
  }
}

function checkPlace(container: object, part: string, name: string | undefined): void {
  if (Array.isArray(container) && !isIndex(part)) {
    throw new MongoError(28, `Cannot create field '${part}' in element {${name ?? ''}: ${shellText(container)}}`)
  }
}

function copyDocument(document: Document): Document {
  if (!Object.hasOwn(document, '__proto__')) return { ...document }
  const fresh: Document = {}
  for (const [field, value] of Object.entries(document)) setField(fresh, field, value)
  return fresh
}
