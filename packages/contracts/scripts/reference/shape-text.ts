import type { z } from 'zod'
import { isObject, type Direction, type JsonObject, type SchemaBook } from './schema-book.ts'

/** Writes a schema in shorthand: `{ deviceMac, state: boolean, speed?: 0..255 }`. Named schemas stay names. */
export function shapeText(schema: z.ZodType, direction: Direction, book: SchemaBook): string {
  const written = book.schema(schema, direction)
  const name = refName(written)
  // At the top level the definition is written out: a bare name would only send the reader elsewhere.
  return text(name === null ? written : definition(name, book), book)
}

/** Writes the named schemas that a text contains, and those that they contain, by name. */
export function namedShapes(written: string, book: SchemaBook): Map<string, string> {
  const shapes = new Map<string, string>()
  const names = Object.keys(book.components())
  const read = (from: string): void => {
    for (const name of names) {
      if (shapes.has(name) || !new RegExp(`\\b${name}\\b`).test(from)) continue
      const shape = text(definition(name, book), book)
      shapes.set(name, shape)
      read(shape)
    }
  }
  read(written)
  return new Map([...shapes].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function definition(name: string, book: SchemaBook): JsonObject {
  const found = book.components()[name]
  return isObject(found) ? found : {}
}

const refName = (schema: JsonObject): string | null =>
  typeof schema['$ref'] === 'string' ? (schema['$ref'].split('/').at(-1) ?? null) : null

const objects = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])

function text(schema: JsonObject, book: SchemaBook): string {
  const name = refName(schema)
  if (name !== null) return name
  if ('const' in schema) return JSON.stringify(schema['const'])
  if (Array.isArray(schema['enum']))
    return schema['enum'].length > 12 ? 'code' : schema['enum'].map((one) => JSON.stringify(one)).join('|')
  const choices = objects(schema['anyOf'] ?? schema['oneOf'])
  if (choices.length > 0) return [...new Set(choices.map((choice) => text(choice, book)))].join('|')
  if (Array.isArray(schema['prefixItems']))
    return `[${objects(schema['prefixItems'])
      .map((item) => text(item, book))
      .join(', ')}]`
  if (schema['type'] === 'array') {
    const items = isObject(schema['items']) ? text(schema['items'], book) : 'any'
    return items.includes('|') ? `(${items})[]` : `${items}[]`
  }
  if (schema['type'] === 'object') return objectText(schema, book)
  return scalarText(schema)
}

function objectText(schema: JsonObject, book: SchemaBook): string {
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const fields = Object.entries(properties).map(([name, field]) => {
    const mark = required.includes(name) ? '' : '?'
    return isObject(field) ? `${name}${mark}: ${text(field, book)}` : `${name}${mark}`
  })
  const others = schema['additionalProperties']
  if (isObject(others)) fields.push(`[name]: ${text(others, book)}`)
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
}

function scalarText(schema: JsonObject): string {
  const { type, title, format, minimum, maximum, maxLength } = schema
  if (typeof title === 'string') return title
  if (Array.isArray(type)) return type.map((one: unknown) => scalarText({ ...schema, type: one })).join('|')
  if (type === 'integer' && typeof minimum === 'number') {
    return typeof maximum === 'number' ? `${minimum}..${maximum}` : `integer >= ${minimum}`
  }
  if (type === 'string' && typeof format === 'string') return format
  if (type === 'string' && typeof maxLength === 'number') return `text up to ${maxLength}`
  return type === 'string' ? 'text' : typeof type === 'string' ? type : 'any'
}
