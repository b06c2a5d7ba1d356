import type { SchemaNode } from './description.ts'

export type Schemas = Readonly<Record<string, SchemaNode>>

/** One field of a body or an answer, as a line under its parent. */
export interface SchemaLine {
  path: string
  name: string
  depth: number
  isRequired: boolean
  type: string
  /** Limits and allowed values, as in the schema. */
  facts: string
}

/** Limits the depth of recursive schemas. */
const deepest = 4

const refName = (ref: string): string => ref.split('/').at(-1) ?? ref

/** Resolves references and merges the parts of an `allOf`. */
function whole(node: SchemaNode, schemas: Schemas): SchemaNode {
  const target = node.$ref === undefined ? undefined : schemas[refName(node.$ref)]
  const here = target ?? node
  if (here.allOf === undefined) return here
  const parts = here.allOf.map((part) => whole(part, schemas))
  return {
    ...here,
    type: 'object',
    properties: Object.fromEntries(parts.flatMap(({ properties = {} }) => Object.entries(properties))),
    required: parts.flatMap(({ required = [] }) => required)
  }
}

export function typeText(node: SchemaNode, schemas: Schemas): string {
  const here = whole(node, schemas)
  const options = here.anyOf ?? here.oneOf
  if (options !== undefined) return [...new Set(options.map((each) => typeText(each, schemas)))].join(' | ')
  if (here.const !== undefined) return JSON.stringify(here.const)
  if (typeof here.items === 'object') return `${typeText(here.items, schemas)}[]`
  if (here.title === 'id') return 'id'
  const types = here.type === undefined ? [] : [here.type].flat()
  if (types.length > 0) return types.join(' | ')
  return here.properties === undefined ? 'any' : 'object'
}

function factsOf(node: SchemaNode): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = node
  const range = (least: number | undefined, most: number | undefined, unit: string) =>
    least === undefined && most === undefined ? [] : [`${least ?? ''}…${most ?? ''}${unit}`]
  return [
    ...(node.enum === undefined ? [] : [node.enum.map(String).join(', ')]),
    ...range(minimum, maximum, ''),
    ...range(minLength, maxLength, ' characters'),
    ...range(minItems, maxItems, ' items'),
    ...(node.format === undefined ? [] : [node.format])
  ].join(' · ')
}

/** Returns a line for every field of a body or an answer, each below its parent. */
export function schemaLines(node: SchemaNode, schemas: Schemas, parent = '', depth = 0): SchemaLine[] {
  const here = objectOf(node, schemas)
  if (here === null || depth > deepest) return []
  return Object.entries(here.properties ?? {}).flatMap(([name, child]) => {
    const path = parent === '' ? name : `${parent}.${name}`
    const line = {
      path,
      name,
      depth,
      isRequired: here.required?.includes(name) ?? false,
      type: typeText(child, schemas),
      facts: factsOf(whole(child, schemas))
    }
    return [line, ...schemaLines(child, schemas, path, depth + 1)]
  })
}

/** Returns the object schema: for a list that of its items, for alternatives the first that has fields. */
function objectOf(node: SchemaNode, schemas: Schemas): SchemaNode | null {
  const here = whole(node, schemas)
  if (typeof here.items === 'object') return objectOf(here.items, schemas)
  if (here.properties !== undefined) return here
  for (const option of here.anyOf ?? here.oneOf ?? []) {
    const found = objectOf(option, schemas)
    if (found !== null) return found
  }
  return null
}

/** Returns an example body: the required fields, each with a value of its type. */
export function exampleOf(node: SchemaNode, schemas: Schemas, depth = 0): unknown {
  const here = whole(node, schemas)
  if (here.const !== undefined) return here.const
  if (here.enum !== undefined) return here.enum[0]
  const [option] = here.anyOf ?? here.oneOf ?? []
  if (option !== undefined) return exampleOf(option, schemas, depth)
  if (typeof here.items === 'object') return depth > deepest ? [] : [exampleOf(here.items, schemas, depth + 1)]
  if (here.properties !== undefined) {
    const names = here.required ?? []
    return Object.fromEntries(
      Object.entries(here.properties).flatMap(([name, child]) =>
        names.includes(name) && depth <= deepest ? [[name, exampleOf(child, schemas, depth + 1)]] : []
      )
    )
  }
  const [type] = here.type === undefined ? [] : [here.type].flat()
  if (type === 'integer' || type === 'number') return here.minimum ?? 0
  if (type === 'boolean') return false
  return type === 'null' ? null : ''
}
