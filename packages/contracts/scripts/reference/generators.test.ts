import { describe, expect, it } from 'vitest'
import { isObject } from './schema-book.ts'
import { asyncApiDocument } from './asyncapi.ts'
import { openApiDocument } from './openapi.ts'

/** Returns every field of the document and of what it contains, with its value. */
function fieldsOf(value: unknown): [string, unknown][] {
  if (Array.isArray(value)) return value.flatMap(fieldsOf)
  return isObject(value) ? Object.entries(value).flatMap((field) => [field, ...fieldsOf(field[1])]) : []
}

/** Regular expressions of Python, Rust (which pydantic uses) and Go lack these; JSON Schema advises against them. */
function unportable(pattern: string): string[] {
  const escapes = pattern.match(/\\(?:[1-9]|[pPuk])/g) ?? []
  const bare = pattern.replaceAll(/\\./g, '_')
  return [...escapes, ...(bare.match(/\(\?[^:]|\[[^\]]*\[/g) ?? [])]
}

describe.each([
  ['openapi.json', openApiDocument()],
  ['asyncapi.json', asyncApiDocument()]
])('%s, read by generators of other languages', (_, document) => {
  const fields = fieldsOf(document)

  it('has patterns that every regular expression engine reads', () => {
    const patterns = fields.flatMap(([name, value]) => (name === 'pattern' ? [String(value)] : []))
    expect(patterns.length).toBeGreaterThan(0)
    expect(patterns.filter((pattern) => unportable(pattern).length > 0)).toEqual([])
  })

  it('has a schema wherever one is read, and a name for each', () => {
    expect(fields.filter(([name, value]) => name === 'items' && typeof value === 'boolean')).toEqual([])
    expect(fields.filter(([name]) => name.startsWith('__'))).toEqual([])
  })
})
