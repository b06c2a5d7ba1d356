import { BSONRegExp } from 'bson'
import { isDocument, typeCodes, type Document } from '../bson/document.ts'
import { isNumeric, toNumber, wholePart } from '../bson/numbers.ts'
import { badValue, failedToParse, MongoError, unsupported } from '../errors.ts'
import { parseBits, type BitsWanted } from './bits.ts'
import { compileRegex, regexOf } from './regex.ts'

export type Comparison = 'eq' | 'gt' | 'gte' | 'lt' | 'lte'

/** A regular expression, compiled and as it was sent: a query also finds stored regular expressions that equal it. */
export interface Pattern {
  pattern: RegExp
  source: BSONRegExp
}

/** The condition of one operator on the values at a path. */
export type Leaf =
  | { op: Comparison; value: unknown }
  | { op: 'in'; values: unknown[]; patterns: Pattern[] }
  | ({ op: 'regex' } & Pattern)
  | { op: 'exists'; value: boolean }
  | { op: 'type'; types: string[] }
  | { op: 'mod'; divisor: bigint; remainder: bigint }
  | { op: 'size'; size: number }
  | { op: 'all'; each: Leaf[] }
  | { op: 'elemMatch'; filter: Filter }
  | { op: 'elemMatchValue'; leaves: Leaf[] }
  | { op: 'not'; leaves: Leaf[] }
  | { op: 'bits'; positions: number[]; want: BitsWanted }

/** A parsed query, for the matcher and the planner. */
export type Filter =
  | { kind: 'and' | 'or' | 'nor'; parts: Filter[] }
  | { kind: 'field'; path: string; leaf: Leaf }
  | { kind: 'expr'; expression: unknown }
  | { kind: 'never' }

function list(operator: string, value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  throw badValue(`${operator} must be an array`)
}

/** Fields of a DBRef, which a query may use like any others. */
const referenceFields = new Set(['$ref', '$id', '$db'])

/** Parses a query document. Throws the errors of MongoDB's parser: BadValue, FailedToParse. */
export function parseFilter(query: Document): Filter {
  const parts: Filter[] = []
  for (const [name, value] of Object.entries(query)) {
    if (name.startsWith('$') && !referenceFields.has(name)) {
      const part = parseTop(name, value)
      if (part) parts.push(part)
    } else {
      parts.push(...parseField(name, value))
    }
  }
  return parts.length === 1 && parts[0] ? parts[0] : { kind: 'and', parts }
}

function parseTop(name: string, value: unknown): Filter | null {
  switch (name) {
    case '$and':
    case '$or':
    case '$nor': {
      const clauses = list(name, value)
      if (clauses.length === 0) throw badValue('$and/$or/$nor must be a nonempty array')
      const kind = name === '$and' ? 'and' : name === '$or' ? 'or' : 'nor'
      return {
        kind,
        parts: clauses.map((clause) => {
          if (!isDocument(clause)) throw badValue('$or/$and/$nor entries need to be full objects')
          return parseFilter(clause)
        })
      }
    }
    case '$expr':
      return { kind: 'expr', expression: value }
    case '$comment':
      return null
    case '$alwaysFalse':
      return { kind: 'never' }
    case '$alwaysTrue':
      return null
    case '$where':
      throw unsupported('$where (server-side JavaScript)')
    case '$text':
    case '$jsonSchema':
    case '$sampleRate':
      throw unsupported(name)
    default:
      throw badValue(
        `unknown top level operator: ${name}. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.`
      )
  }
}

function isOperatorObject(value: unknown): value is Document {
  if (!isDocument(value)) return false
  const first = Object.keys(value)[0]
  return first !== undefined && first.startsWith('$') && !referenceFields.has(first)
}

function parseField(path: string, value: unknown): Filter[] {
  if (isOperatorObject(value)) {
    return parseOperators(value, path).map((leaf) => ({ kind: 'field', path, leaf }))
  }
  return [{ kind: 'field', path, leaf: equality(value) }]
}

const equality = (value: unknown): Leaf =>
  value instanceof BSONRegExp ? { op: 'regex', ...compilePattern(value) } : { op: 'eq', value }

const compilePattern = (source: BSONRegExp): Pattern => ({
  pattern: compileRegex(source.pattern, source.options),
  source
})

function parseOperators(operators: Document, path: string): Leaf[] {
  const leaves: Leaf[] = []
  for (const [name, value] of Object.entries(operators)) {
    if (name === '$options') {
      if (!Object.hasOwn(operators, '$regex')) throw badValue('$options needs a $regex')
      continue
    }
    if (name === '$comment') continue
    if (name === '$regex') leaves.push(parseRegex(value, operators['$options']))
    else leaves.push(parseOperator(name, value, path))
  }
  return leaves
}

function parseRegex(value: unknown, options: unknown): Leaf {
  if (options !== undefined && typeof options !== 'string') throw badValue('$options has to be a string')
  if (options !== undefined && value instanceof BSONRegExp && value.options !== '') {
    throw new MongoError(51075, 'options set in both $regex and $options')
  }
  const pattern = regexOf(value, options ?? '')
  if (!pattern) throw badValue('$regex has to be a string')
  const source =
    value instanceof BSONRegExp
      ? new BSONRegExp(value.pattern, options ?? value.options)
      : new BSONRegExp(String(value), [...new Set(options ?? '')].toSorted().join(''))
  return { op: 'regex', pattern, source }
}

function parseOperator(name: string, value: unknown, path: string): Leaf {
  switch (name) {
    case '$eq':
      return { op: 'eq', value }
    case '$ne':
      if (value instanceof BSONRegExp) throw badValue("Can't have regex as arg to $ne.")
      return { op: 'not', leaves: [{ op: 'eq', value }] }
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      if (value instanceof BSONRegExp) throw badValue(`Can't have RegEx as arg to predicate over field '${path}'.`)
      return { op: name.slice(1) as Comparison, value }
    case '$in':
      return parseIn(name, value)
    case '$nin':
      return { op: 'not', leaves: [parseIn(name, value)] }
    case '$exists':
      return { op: 'exists', value: truthy(value) }
    case '$type':
      return { op: 'type', types: parseTypes(value) }
    case '$mod':
      return parseMod(value)
    case '$size':
      return { op: 'size', size: parseSize(value) }
    case '$all':
      return parseAll(value, path)
    case '$elemMatch':
      return parseElemMatch(value, path)
    case '$not':
      return parseNot(value, path)
    case '$bitsAllSet':
      return { op: 'bits', want: 'allSet', positions: parseBits(name, value) }
    case '$bitsAllClear':
      return { op: 'bits', want: 'allClear', positions: parseBits(name, value) }
    case '$bitsAnySet':
      return { op: 'bits', want: 'anySet', positions: parseBits(name, value) }
    case '$bitsAnyClear':
      return { op: 'bits', want: 'anyClear', positions: parseBits(name, value) }
    case '$geoWithin':
    case '$geoIntersects':
    case '$near':
    case '$nearSphere':
    case '$within':
      throw unsupported(name)
    default:
      throw badValue(`unknown operator: ${name}`)
  }
}

const truthy = (value: unknown): boolean =>
  isNumeric(value) ? toNumber(value) !== 0 : value !== false && value !== null && value !== undefined

function parseIn(name: string, value: unknown): Leaf {
  if (!Array.isArray(value)) throw badValue(`${name} needs an array`)
  const values: unknown[] = []
  const patterns: Pattern[] = []
  for (const element of value) {
    if (isOperatorObject(element)) throw badValue(`cannot nest $ under ${name}`)
    if (element instanceof BSONRegExp) patterns.push(compilePattern(element))
    else values.push(element)
  }
  return { op: 'in', values, patterns }
}

function parseTypes(value: unknown): string[] {
  const asked = Array.isArray(value) ? value : [value]
  if (asked.length === 0) throw failedToParse('$type must match at least one type')
  return asked.map((type: unknown) => {
    if (typeof type === 'string') {
      if (
        type === 'number' ||
        type === 'undefined' ||
        type === 'javascriptWithScope' ||
        Object.hasOwn(typeCodes, type)
      ) {
        return type
      }
      throw badValue(`Unknown type name alias: ${type}`)
    }
    if (!isNumeric(type)) throw typeMismatchOfType()
    const found = Object.entries(typeCodes).find(([, code]) => code === toNumber(type))
    if (!found) throw badValue(`Invalid numerical type code: ${toNumber(type)}`)
    return found[0]
  })
}

const typeMismatchOfType = (): MongoError => new MongoError(14, 'type must be represented as a number or a string')

function parseMod(value: unknown): Leaf {
  if (!Array.isArray(value)) throw badValue('malformed mod, needs to be an array')
  if (value.length < 2) throw badValue('malformed mod, not enough elements')
  if (value.length > 2) throw badValue('malformed mod, too many elements')
  const [divisor, remainder] = value.map((part: unknown, i) => {
    if (!isNumeric(part)) throw badValue(`malformed mod, ${i === 0 ? 'divisor' : 'remainder'} not a number`)
    const number = wholePart(part)
    if (number === null) throw badValue('malformed mod, divisor value is invalid')
    return number.whole
  })
  if (divisor === undefined || remainder === undefined || divisor === 0n) throw badValue('divisor cannot be 0')
  return { op: 'mod', divisor, remainder }
}

function parseSize(value: unknown): number {
  if (!isNumeric(value)) throw failedToParse(`Failed to parse $size. Expected a number in: $size: ${String(value)}`)
  const size = toNumber(value)
  if (!Number.isInteger(size)) throw failedToParse(`Failed to parse $size. Expected an integer: $size: ${size}`)
  if (size < 0) throw failedToParse(`Failed to parse $size. Expected a non-negative number in: $size: ${size}`)
  return size
}

function parseAll(value: unknown, path: string): Leaf {
  if (!Array.isArray(value)) throw badValue('$all needs an array')
  const asksElements = (element: unknown): element is Document =>
    isDocument(element) && Object.keys(element)[0] === '$elemMatch'
  if (value.length > 0 && value.every(asksElements)) {
    return { op: 'all', each: value.map((element) => parseElemMatch(element['$elemMatch'], path)) }
  }
  if (asksElements(value[0])) throw badValue('$all/$elemMatch has to be consistent')
  const each = value.map((element: unknown): Leaf => {
    if (isOperatorObject(element)) throw badValue('no $ expressions in $all')
    return equality(element)
  })
  return { op: 'all', each }
}

function parseElemMatch(value: unknown, path: string): Leaf {
  if (!isDocument(value)) throw badValue('$elemMatch needs an Object')
  const first = Object.keys(value)[0]
  const byValue =
    first !== undefined &&
    first.startsWith('$') &&
    !['$and', '$or', '$nor', '$expr', '$where', '$comment'].includes(first) &&
    !referenceFields.has(first)
  if (byValue) return { op: 'elemMatchValue', leaves: parseOperators(value, path) }
  const filter = parseFilter(value)
  if (hasExpression(filter)) throw badValue('$expr can only be applied to the top-level document')
  return { op: 'elemMatch', filter }
}

export const hasExpression = (filter: Filter): boolean =>
  filter.kind === 'expr' || ('parts' in filter && filter.parts.some(hasExpression))

function parseNot(value: unknown, path: string): Leaf {
  if (value instanceof BSONRegExp) return { op: 'not', leaves: [equality(value)] }
  if (!isDocument(value)) throw badValue('$not needs a regex or a document')
  if (Object.keys(value).length === 0) throw badValue('$not cannot be empty')
  if (!isOperatorObject(value)) throw badValue(`unknown operator: ${Object.keys(value)[0] ?? ''}`)
  return { op: 'not', leaves: parseOperators(value, path) }
}
