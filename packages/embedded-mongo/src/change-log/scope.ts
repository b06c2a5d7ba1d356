/** The scope of a change stream: a collection, a database or everything. */
export type Scope = { kind: 'collection' | 'database'; name: string } | { kind: 'all' }

export const scopeName = (scope: Scope): string =>
  scope.kind === 'all' ? '*' : scope.kind === 'database' ? `${scope.name}.*` : scope.name

/** Returns the scopes that contain a namespace, from narrow to wide. */
export const scopesOf = (namespace: string): string[] => [
  namespace,
  `${namespace.slice(0, namespace.indexOf('.'))}.*`,
  '*'
]

export const holds = (scope: Scope, namespace: string): boolean =>
  scope.kind === 'all' ||
  (scope.kind === 'database' ? namespace.startsWith(`${scope.name}.`) : namespace === scope.name)
