import { isDocument, setField, type Document } from '../bson/document.ts'
import { isNumeric, toNumber } from '../bson/numbers.ts'
import { MongoError, unsupported } from '../errors.ts'
import { findPositionalIndex } from '../update/positional.ts'
import { parseFilter, type Filter } from './filter.ts'
import { compileFilter, elementDocument, type MatcherOptions } from './matcher.ts'

export interface ProjectionOptions extends MatcherOptions {
  /** The query of `find` and similar, for `field.$`. Pipelines have no query, and no `$slice` or `$elemMatch` of `find`. */
  query?: Filter
}

type Node =
  | { kind: 'include' }
  | { kind: 'exclude' }
  | { kind: 'compute'; compute: (root: Document) => unknown }
  | { kind: 'slice'; skip: number | null; count: number }
  | { kind: 'elemMatch'; test: (element: unknown) => boolean }
  | { kind: 'tree'; fields: Map<string, Node> }

type Tree = Extract<Node, { kind: 'tree' }>

/** Only numbers and booleans select fields. Any other constant in a projection is a computed field. */
const isFlag = (value: unknown): boolean => typeof value === 'boolean' || isNumeric(value)
const flagOf = (value: unknown): boolean => (typeof value === 'boolean' ? value : toNumber(value) !== 0)

/**
 * Compiles `find`'s projection and `$project`: inclusion or exclusion, computed fields, `$slice`,
 * `$elemMatch` and the positional `field.$`.
 */
export function compileProjection(spec: Document, options: ProjectionOptions): (document: Document) => Document {
  const root: Tree = { kind: 'tree', fields: new Map() }
  const mode: { including: boolean | null } = { including: null }
  let idShown: boolean | null = null
  let positional: string | null = null

  const decide = (including: boolean, path: string): void => {
    if (mode.including !== null && mode.including !== including) {
      throw including
        ? new MongoError(31253, `Cannot do inclusion on field ${path} in exclusion projection`)
        : new MongoError(31254, `Cannot do exclusion on field ${path} in inclusion projection`)
    }
    mode.including = including
  }

  const add = (path: string, node: Node): void => {
    const parts = path.split('.')
    if (parts.some((part) => part === '')) throw new MongoError(40353, "FieldPath must not end with a '.'.")
    let tree = root
    for (const [i, part] of parts.entries()) {
      const known = tree.fields.get(part)
      if (i === parts.length - 1) {
        if (known) throw new MongoError(31250, `Path collision at ${path}`)
        tree.fields.set(part, node)
        return
      }
      if (known && known.kind !== 'tree')
        throw new MongoError(31249, `Path collision at ${path} remaining portion ${parts.slice(i + 1).join('.')}`)
      const next: Tree = known ?? { kind: 'tree', fields: new Map() }
      tree.fields.set(part, next)
      tree = next
    }
  }

  const read = (path: string, value: unknown): void => {
    if (path.endsWith('.$')) {
      if (!options.query) throw new MongoError(31324, 'Cannot use positional projection in aggregation projection')
      positional = path.slice(0, -2)
      decide(true, path)
      return add(positional, { kind: 'include' })
    }
    if (path.startsWith('$')) {
      throw new MongoError(
        16410,
        `FieldPath field names may not start with '$'. Consider using $getField or $setField.`
      )
    }
    if (isFlag(value)) {
      const shown = flagOf(value)
      if (path === '_id') {
        idShown = shown
        return
      }
      decide(shown, path)
      return add(path, { kind: shown ? 'include' : 'exclude' })
    }
    if (isDocument(value)) {
      const [operator] = Object.keys(value)
      if (operator === undefined)
        throw new MongoError(51270, 'An empty sub-projection is not a valid value. Found empty object at path')
      if (options.query && operator === '$slice' && isFindSlice(value[operator]))
        return add(path, parseSlice(value[operator]))
      if (options.query && operator === '$elemMatch') {
        decide(true, path)
        return add(path, parseElemMatch(value[operator], options))
      }
      if (operator === '$meta') throw unsupported('$meta')
      if (!operator.startsWith('$')) {
        for (const [field, inner] of Object.entries(value)) read(`${path}.${field}`, inner)
        return
      }
    }
    decide(true, path)
    add(path, { kind: 'compute', compute: options.expression(value) })
  }

  for (const [path, value] of Object.entries(spec)) read(path, value)
  const including = mode.including ?? idShown === true
  const showId = idShown ?? true
  return (document) => {
    const found = positional === null || !options.query ? null : positionalElement(positional, document, options)
    const result = including ? includeTree(root, document, document) : excludeTree(root, document)
    if (found && positional !== null) replaceArray(result, positional.split('.'), [found.element])
    if (including) return withIdFirst(document, result, showId, root.fields.has('_id'))
    if (!showId) delete result['_id']
    return result
  }
}

const isFindSlice = (value: unknown): boolean =>
  isNumeric(value) || (Array.isArray(value) && value.length === 2 && value.every(isNumeric))

function parseSlice(value: unknown): Node {
  if (!Array.isArray(value)) return { kind: 'slice', skip: null, count: Math.trunc(toNumber(value)) || 0 }
  const [skip, count] = value.map((part) => Math.trunc(toNumber(part)))
  if ((count ?? 0) <= 0)
    throw new MongoError(28724, 'First argument to $slice must be an array, third must be positive')
  return { kind: 'slice', skip: skip ?? 0, count: count ?? 0 }
}

function parseElemMatch(value: unknown, options: MatcherOptions): Node {
  if (!isDocument(value)) throw new MongoError(31274, 'elemMatch: Invalid argument, object required')
  const first = Object.keys(value)[0] ?? ''
  if (first.startsWith('$') && !['$and', '$or', '$nor'].includes(first)) {
    const test = compileFilter(parseFilter({ '': value }), options)
    return { kind: 'elemMatch', test: (element) => test({ '': element }) }
  }
  const test = compileFilter(parseFilter(value), options)
  return {
    kind: 'elemMatch',
    test: (element) => {
      const document = elementDocument(element)
      return document !== null && test(document)
    }
  }
}

function slice(array: readonly unknown[], { skip, count }: { skip: number | null; count: number }): unknown[] {
  if (skip === null) return count >= 0 ? array.slice(0, count) : array.slice(count)
  const start = skip < 0 ? Math.max(array.length + skip, 0) : skip
  return array.slice(start, start + count)
}

/** `asked`: the projection itself computes `_id`, possibly as missing. */
function withIdFirst(document: Document, result: Document, showId: boolean, asked: boolean): Document {
  const { _id: made, ...rest } = result
  const id = asked ? made : document['_id']
  return showId && id !== undefined ? { _id: id, ...rest } : rest
}

/** Includes fields in the order of the document, followed by computed ones. */
function includeTree(tree: Tree, document: Document, root: Document): Document {
  const result: Document = {}
  for (const [name, value] of Object.entries(document)) {
    const node = tree.fields.get(name)
    if (!node || node.kind === 'compute') continue
    const kept = includeNode(node, value, root)
    if (kept !== undefined) setField(result, name, kept)
  }
  for (const [name, node] of tree.fields) {
    const value =
      node.kind === 'compute'
        ? node.compute(root)
        : node.kind === 'tree' && !Object.hasOwn(document, name)
          ? computedOnly(node, root)
          : undefined
    if (value !== undefined) setField(result, name, value)
  }
  return result
}

function includeNode(node: Node, value: unknown, root: Document): unknown {
  switch (node.kind) {
    case 'include':
      return value
    case 'slice':
      return Array.isArray(value) ? slice(value, node) : value
    case 'elemMatch': {
      if (!Array.isArray(value)) return undefined
      const found: unknown = value.find((element: unknown) => node.test(element))
      return found === undefined ? undefined : [found]
    }
    case 'tree':
      // With a computed field below it, a scalar is replaced by a document; else it is omitted.
      return throughArrays(
        value,
        (inner) => includeTree(node, inner, root),
        () => computedOnly(node, root)
      )
    default:
      return undefined
  }
}

/** Returns the fields that are computed below a path that the document does not have. */
function computedOnly(tree: Tree, root: Document): Document | undefined {
  const result = includeTree(tree, {}, root)
  return Object.keys(result).length === 0 ? undefined : result
}

function throughArrays(
  value: unknown,
  visit: (inner: Document) => Document,
  scalar: (value: unknown) => unknown
): unknown {
  if (Array.isArray(value))
    return value.map((element) => throughArrays(element, visit, scalar)).filter((element) => element !== undefined)
  return isDocument(value) ? visit(value) : scalar(value)
}

function excludeTree(tree: Tree, document: Document): Document {
  const result: Document = {}
  for (const [name, value] of Object.entries(document)) {
    const node = tree.fields.get(name)
    if (!node) setField(result, name, value)
    else if (node.kind === 'tree')
      setField(
        result,
        name,
        throughArrays(
          value,
          (inner) => excludeTree(node, inner),
          (scalar) => scalar
        )
      )
    else if (node.kind === 'slice') setField(result, name, Array.isArray(value) ? slice(value, node) : value)
  }
  return result
}

function positionalElement(path: string, document: Document, options: ProjectionOptions): { element: unknown } | null {
  let array: unknown = document
  for (const part of path.split('.')) array = isDocument(array) ? array[part] : undefined
  if (!Array.isArray(array)) return null
  const index = options.query ? findPositionalIndex(options.query, path, document, options) : -1
  if (index === -1) {
    throw new MongoError(
      51246,
      "Executor error during find command :: caused by :: positional operator '.$' couldn't find a matching element in the array"
    )
  }
  return { element: array[index] }
}

function replaceArray(result: Document, parts: readonly string[], value: unknown[]): void {
  let container: unknown = result
  for (const part of parts.slice(0, -1)) container = isDocument(container) ? container[part] : undefined
  if (isDocument(container)) setField(container, parts.at(-1) ?? '', value)
}
