import { z } from 'zod'
import * as contracts from '../../src/index.ts'

export interface JsonObject {
  [field: string]: unknown
}
/** Input: what a sender may write. Output: what a receiver reads. */
export type Direction = 'input' | 'output'

export interface SchemaBook {
  /** Returns JSON Schema 2020-12 of `schema`. Schemas that contracts export by name become a `$ref`. */
  schema(schema: z.ZodType, direction: Direction): JsonObject
  /** Returns every named schema used so far, by name. */
  components(): JsonObject
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Inlined in queries and paths, which list their fields one by one. */
const inline = new Set(['idParams', 'pageQuery'])
const nameOf = (exported: string): string => exported.charAt(0).toUpperCase() + exported.slice(1)

/** Returns the object schemas that contracts export, by their name in the reference. */
function namedSchemas(): Map<string, z.ZodObject> {
  const named = new Map<string, z.ZodObject>()
  for (const [exported, value] of Object.entries(contracts)) {
    if (value instanceof z.ZodObject && !inline.has(exported)) named.set(nameOf(exported), value)
  }
  return named
}

/**
 * Writes zod schemas as JSON Schema, the dialect of OpenAPI 3.1 and AsyncAPI 3.0. zod's own writer is the most faithful
 * (defaults, refinements with a pattern, unions); this adds names and removes noise.
 */
export function createSchemaBook(): SchemaBook {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of namedSchemas()) registry.add(schema, { id })
  const components = new Map<string, JsonObject>()

  const add = (name: string, schema: JsonObject): void => {
    const known = components.get(name)
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`${name} reads differently as input and as output: export a schema for each.`)
    }
    components.set(name, schema)
  }

  return {
    schema(schema, direction) {
      // Wrapped in an object, so that a named schema becomes a reference even at the top level.
      const written = tidy(
        z.toJSONSchema(z.object({ it: schema }), {
          io: direction,
          metadata: registry,
          override: ({ zodSchema, jsonSchema }) => {
            Object.assign(jsonSchema, z.globalRegistry.get(zodSchema))
            delete jsonSchema['id']
          }
        })
      )
      const definitions = isObject(written['$defs']) ? written['$defs'] : {}
      for (const [name, definition] of Object.entries(definitions)) if (isObject(definition)) add(name, definition)
      const properties = isObject(written['properties']) ? written['properties'] : {}
      if (!isObject(properties['it'])) throw new Error('zod wrote no schema')
      return properties['it']
    },
    components: () => Object.fromEntries([...components].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }
}

/** Drops what tells a reader nothing: the bounds of safe integers, patterns of calendar arithmetic, closed objects. */
function tidy(value: JsonObject): JsonObject
function tidy(value: unknown): unknown
function tidy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => tidy(one))
  if (!isObject(value)) return value
  const kept = Object.entries(value).filter(([key, content]) => {
    if (key === 'additionalProperties') return isObject(content) && Object.keys(content).length > 0
    // Some generators read no `false` as a schema; the length of a tuple says the same.
    if (key === 'items' && content === false) return value['maxItems'] === undefined
    if (key === 'pattern') return value['format'] !== 'date' && value['format'] !== 'date-time'
    return !((key === 'maximum' || key === 'minimum') && Math.abs(Number(content)) === Number.MAX_SAFE_INTEGER)
  })
  return Object.fromEntries(
    kept.map(([key, content]) => [
      key,
      key === '$ref' && typeof content === 'string'
        ? content.replace('#/$defs/', '#/components/schemas/')
        : tidy(content)
    ])
  )
}
