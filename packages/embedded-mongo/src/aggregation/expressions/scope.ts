import type { TextOrder } from '../../bson/compare.ts'
import { getField, isDocument, type Document } from '../../bson/document.ts'

/** The values of `$$name` while an expression runs. */
export interface Scope {
  root: unknown
  variables: ReadonlyMap<string, unknown>
}
export type Evaluate = (scope: Scope) => unknown

export interface ExpressionOptions {
  /** `$$NOW`, constant within a command. */
  now: Date
  /** The constants of the command's `let`. */
  let: Document
  text: TextOrder
}

/** Compiles one operator from its unevaluated argument. */
export type OperatorCompiler = (
  argument: unknown,
  compile: (expression: unknown) => Evaluate,
  options: ExpressionOptions
) => Evaluate

/** Returns the value of a path in an expression. For an array it is the array of the values in its documents. */
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

/** Returns the scope with one more variable. */
export const withVariable = (scope: Scope, name: string, value: unknown): Scope => ({
  root: scope.root,
  variables: new Map(scope.variables).set(name, value)
})
