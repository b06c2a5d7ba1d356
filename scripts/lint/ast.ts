/** The parts of an ESTree node that our rules use. */
export interface Node {
  type: string
  [field: string]: unknown
}
export interface RuleContext {
  report(problem: { node: Node; message: string }): void
}
export type Visitor = Record<string, (node: Node) => void>

export const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

export const isIdentifier = (value: unknown, name: string): boolean =>
  isNode(value) && value.type === 'Identifier' && value['name'] === name

/** Returns the property name of `a.b` and `a['b']`; null when it is computed. */
export function memberName(node: Node): string | null {
  const property = node['property']
  if (!isNode(property)) return null
  if (node['computed'] !== true && typeof property['name'] === 'string') return property['name']
  return property.type === 'Literal' && typeof property['value'] === 'string' ? property['value'] : null
}

/** Returns the name of a property of an object literal, quoted or not; null when it is computed. */
export function keyName(property: unknown): string | null {
  if (!isNode(property) || property.type !== 'Property' || property['computed'] === true) return null
  const key = property['key']
  if (!isNode(key)) return null
  const name = key.type === 'Identifier' ? key['name'] : key['value']
  return typeof name === 'string' ? name : null
}
