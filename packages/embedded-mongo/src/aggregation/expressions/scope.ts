import type { TextOrder } from '../../bson/compare.ts'
import { getField, isDocument, type Document } from '../../bson/document.ts'

/** The values that `$$name` stands for while an expression runs. */
export interface Scope {
  root: unknown
  variables: ReadonlyMap<string, unknown>
}
export type Evaluate = (scope: Scope) => unknown

export interface ExpressionOptions {
  /** `$$NOW`, the same for a whole command. */
  now: Date
  /** A command's `let`: constants. */
  let: Document
  text: TextOrder
}

/** Compiles one operator from its argument as it was written. */
export type OperatorCompiler = (
  argument: unknown,
  compile: (expression: unknown) => Evaluate,
  options: ExpressionOptions
) => Evaluate

/** A path in an expression: through an array it becomes the array of what its documents have there. */
export function valueAt(value: unknown, parts: readonly string[], at: number): unknown {
  let current = value
  for (let i = at; i < parts.length; i++) {
    if (Array.isArray(current)) {
      return current
        .map((element) => (isDocument(element) ? valueAt(element, parts, i) : undefined))
        .filter((found) => found !== undefined)
    }
    if (!isDocument(current)) return undefined
    current = getField(current, parts[i] ?? '')
  }
  return current
}

/** The scope with one more variable. */
export const withVariable = (scope: Scope, name: string, value: unknown): Scope => ({
  root: scope.root,
  variables: new Map(scope.variables).set(name, value)
})
