import { isDocument, type Document } from '../../bson/document.ts'
import { shellText } from '../../bson/shell-text.ts'
import { isNumeric, toNumber } from '../../bson/numbers.ts'
import { MongoError, typeMismatch, unsupported } from '../../errors.ts'
import { parseCollation, type Collation } from '../../query/collation.ts'
import { parseFilter, type Filter } from '../../query/filter.ts'
import { topOf } from '../../query/path.ts'

export interface IndexField {
  path: string
  parts: string[]
  direction: 1 | -1
}

/** An index for the planner and the writer; `listIndexes` returns its `spec`. */
export interface Index {
  id: number
  name: string
  fields: IndexField[]
  /** The parts of each field's path. */
  paths: string[][]
  directions: (1 | -1)[]
  /** Top-level fields of a document that its keys depend on. */
  reads: string[]
  unique: boolean
  sparse: boolean
  hidden: boolean
  partial: Filter | null
  collation: Collation | null
  expireAfterSeconds: number | null
  /** First path parts under which some document had an array. */
  multikey: Set<string>
  /** Entries of rows up to this one are in the file, those of later rows in memory (`recent.ts`). */
  merged: number
  spec: Document
}

const known = new Set([
  'v',
  'key',
  'name',
  'ns',
  'unique',
  'sparse',
  'hidden',
  'background',
  'partialFilterExpression',
  'collation',
  'expireAfterSeconds'
])
const refusedOptions: Readonly<Record<string, string>> = {
  weights: 'a text index',
  default_language: 'a text index',
  language_override: 'a text index',
  textIndexVersion: 'a text index',
  '2dsphereIndexVersion': 'a geo index',
  bits: 'a geo index',
  min: 'a geo index',
  max: 'a geo index',
  wildcardProjection: 'a wildcard index',
  storageEngine: 'the index option storageEngine',
  clustered: 'a clustered index',
  prepareUnique: 'the index option prepareUnique'
}

function flag(spec: Document, name: string): boolean {
  const value = spec[name]
  if (value === undefined) return false
  if (typeof value === 'boolean') return value
  if (isNumeric(value)) return toNumber(value) !== 0
  throw typeMismatch(`The field '${name}' has value ${name}: ${shellText(value)}, which is not convertible to bool`)
}

function parseFields(key: unknown): IndexField[] {
  if (!isDocument(key)) throw typeMismatch("The field 'key' must be an object")
  const entries = Object.entries(key)
  if (entries.length === 0) throw new MongoError(67, 'Index keys cannot be empty.')
  if (entries.length > 32) throw new MongoError(13103, 'too many compound keys')
  return entries.map(([path, direction]) => {
    if (typeof direction === 'string') {
      if (['text', '2d', '2dsphere', 'hashed', 'geoHaystack'].includes(direction))
        throw unsupported(`a ${direction} index`)
      throw new MongoError(67, `Unknown index plugin '${direction}'`)
    }
    const number = toNumber(direction)
    if (!isNumeric(direction) || number === 0 || Number.isNaN(number)) {
      throw new MongoError(67, 'Values in the index key pattern cannot be 0.')
    }
    if (path === '') throw new MongoError(67, 'Index keys cannot be an empty field.')
    if (path.includes('$**')) throw unsupported('a wildcard index')
    if (path.startsWith('.') || path.endsWith('.') || path.includes('..')) {
      throw new MongoError(67, 'Index keys cannot contain an empty field.')
    }
    if (path.startsWith('$'))
      throw new MongoError(67, "Index key contains an illegal field name: field name starts with '$'.")
    return { path, parts: path.split('.'), direction: number < 0 ? -1 : 1 }
  })
}

/** Returns MongoDB's default name of an index: `a_1_b_-1`. */
const defaultIndexName = (key: Document): string =>
  Object.entries(key)
    .map(([path, direction]) => `${path}_${typeof direction === 'string' ? direction : toNumber(direction)}`)
    .join('_')

/** Parses an index of `createIndexes` or of the catalog. The catalog sets `id`, `multikey` and `merged`. */
export function parseIndex(asked: Document): Index {
  for (const field of Object.keys(asked)) {
    const refused = refusedOptions[field]
    if (refused !== undefined) throw unsupported(refused)
    if (!known.has(field)) {
      throw new MongoError(197, `The field '${field}' is not valid for an index specification.`)
    }
  }
  const fields = parseFields(asked['key'])
  const key = Object.fromEntries(fields.map(({ path, direction }) => [path, direction]))
  const name = asked['name'] ?? defaultIndexName(key)
  if (typeof name !== 'string' || name === '') throw new MongoError(67, 'The index name must be a non-empty string')
  const isId = fields.length === 1 && fields[0]?.path === '_id'
  const collation = parseCollation(asked['collation'])
  const expire = asked['expireAfterSeconds']
  if (expire !== undefined) checkExpiry(expire, fields.length, isId)
  const partial = asked['partialFilterExpression']
  if (partial !== undefined && !isDocument(partial))
    throw typeMismatch("The field 'partialFilterExpression' must be an object")
  const sparse = flag(asked, 'sparse')
  if (partial !== undefined && sparse) {
    throw new MongoError(67, 'cannot mix "partialFilterExpression" and "sparse" options')
  }
  const unique = isId || flag(asked, 'unique')
  const hidden = flag(asked, 'hidden')
  const spec: Document = { v: 2, key, name }
  if (!isId && unique) spec['unique'] = true
  if (sparse) spec['sparse'] = true
  if (hidden) spec['hidden'] = true
  if (partial !== undefined) spec['partialFilterExpression'] = partial
  if (collation) spec['collation'] = collation.spec
  if (expire !== undefined) spec['expireAfterSeconds'] = toNumber(expire)
  const partialFilter = partial === undefined ? null : checkPartial(parseFilter(partial))
  return {
    id: 0,
    name: isId ? '_id_' : name,
    fields,
    paths: fields.map(({ parts }) => parts),
    directions: fields.map(({ direction }) => direction),
    reads: [...new Set([...fields.map(({ path }) => path), ...pathsOf(partialFilter)].map(topOf))],
    unique,
    sparse,
    hidden,
    partial: partialFilter,
    collation,
    expireAfterSeconds: expire === undefined ? null : toNumber(expire),
    multikey: new Set(),
    merged: Infinity,
    spec: isId ? { ...spec, name: '_id_' } : spec
  }
}

/** @throws MongoError for an invalid expiry, or one on an index that cannot expire documents. */
export function checkExpiry(value: unknown, fields: number, isId: boolean): void {
  if (!isNumeric(value)) throw new MongoError(67, "TTL index 'expireAfterSeconds' option must be numeric")
  const seconds = toNumber(value)
  if (!(seconds >= 0 && seconds <= 2147483647)) {
    throw new MongoError(
      67,
      `TTL index 'expireAfterSeconds' option must be within an acceptable range, try a different number than ${seconds}`
    )
  }
  if (isId) throw new MongoError(67, "The field 'expireAfterSeconds' is not valid for an _id index specification.")
  if (fields > 1) throw new MongoError(67, 'TTL indexes are single-field indexes, compound indexes do not support TTL.')
}

const pathsOf = (filter: Filter | null): string[] =>
  filter?.kind === 'field'
    ? [filter.path]
    : filter?.kind === 'and' || filter?.kind === 'or'
      ? filter.parts.flatMap(pathsOf)
      : []

/** Checks that a partial filter contains only what MongoDB allows. */
function checkPartial(filter: Filter): Filter {
  const refuse = (): never => {
    throw new MongoError(67, 'Expression not supported in partial index')
  }
  if (filter.kind === 'and' || filter.kind === 'or') filter.parts.forEach(checkPartial)
  else if (filter.kind !== 'field') refuse()
  else if (!['eq', 'gt', 'gte', 'lt', 'lte', 'in', 'type', 'exists'].includes(filter.leaf.op)) refuse()
  else if (filter.leaf.op === 'exists' && !filter.leaf.value) refuse()
  return filter
}
