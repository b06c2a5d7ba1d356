import { getField, isDocument, setField, type Document } from '../../bson/document.ts'
import { MongoError } from '../../errors.ts'
import { arithmetic } from './arithmetic.ts'
import { arrayOperators } from './arrays.ts'
import { dates } from './dates.ts'
import { folds } from './folds.ts'
import { logic } from './logic.ts'
import { objects } from './objects.ts'
import { sets } from './set-expressions.ts'
import { textOperators } from './strings.ts'
import { types } from './types.ts'
import { refuseExpression } from './refused.ts'
import { valueAt, type Evaluate, type ExpressionOptions, type OperatorCompiler } from './scope.ts'

const operators: ReadonlyMap<string, OperatorCompiler> = new Map(
  Object.entries({
    ...arithmetic,
    ...arrayOperators,
    ...dates,
    ...folds,
    ...logic,
    ...objects,
    ...sets,
    ...textOperators,
    ...types
  })
)

/** The value of `$$REMOVE`, and the result of an expression without a value. */
const MISSING = undefined

/** Compiles an aggregation expression to a function of a document. Missing is `undefined`. */
export function compileExpression(
  expression: unknown,
  options: ExpressionOptions
): (document: unknown, variables?: ReadonlyMap<string, unknown>) => unknown {
  const evaluate = compile(expression, options)
  const constants = new Map<string, unknown>(Object.entries(options.let))
  constants.set('NOW', options.now)
  return (document, variables) =>
    evaluate({
      root: document,
      variables: variables && variables.size > 0 ? new Map([...constants, ...variables]) : constants
    })
}

function compile(expression: unknown, options: ExpressionOptions): Evaluate {
  const inner = (part: unknown): Evaluate => compile(part, options)
  if (typeof expression === 'string') return expression.startsWith('$') ? compilePath(expression) : () => expression
  if (Array.isArray(expression)) {
    const elements = expression.map(inner)
    return (scope) => elements.map((element) => element(scope) ?? null)
  }
  if (!isDocument(expression)) return () => expression
  const fields = Object.keys(expression)
  const [first] = fields
  if (first !== undefined && first.startsWith('$')) {
    if (fields.length > 1) {
      throw new MongoError(
        15983,
        'an expression specification must contain exactly one field, the name of the expression. Found 2 fields in {}'
      )
    }
    return compileOperator(first, expression[first], inner, options)
  }
  const members = fields.map((field) => {
    if (field.includes('.')) throw new MongoError(16405, `FieldPath field names may not contain '.'.`)
    return { field, evaluate: inner(expression[field]) }
  })
  return (scope) => {
    const result: Document = {}
    for (const { field, evaluate } of members) {
      const value = evaluate(scope)
      if (value !== MISSING) setField(result, field, value)
    }
    return result
  }
}

function compileOperator(
  name: string,
  argument: unknown,
  inner: (part: unknown) => Evaluate,
  options: ExpressionOptions
): Evaluate {
  const known = operators.get(name)
  if (known) return known(argument, inner, options)
  throw refuseExpression(name)
}

function compilePath(path: string): Evaluate {
  if (path === '$' || path.endsWith('.')) throw new MongoError(16872, "'$' by itself is not a valid FieldPath")
  if (!path.startsWith('$$')) {
    const parts = path.slice(1).split('.')
    checkParts(parts)
    return parts.length === 1
      ? ({ root }) => (isDocument(root) ? getField(root, parts[0] ?? '') : MISSING)
      : ({ root }) => valueAt(root, parts, 0)
  }
  const [name = '', ...rest] = path.slice(2).split('.')
  if (name === 'ROOT' || name === 'CURRENT') return ({ root }) => valueAt(root, rest, 0)
  if (name === 'REMOVE') return () => MISSING
  if (!/^[a-z\u0080-\uffff_][\w\u0080-\uffff]*$/i.test(name)) {
    throw new MongoError(9, `'${name}' contains an invalid character for a variable name`)
  }
  return ({ variables }) => {
    if (!variables.has(name)) throw new MongoError(17276, `Use of undefined variable: ${name}`)
    return valueAt(variables.get(name), rest, 0)
  }
}

function checkParts(parts: readonly string[]): void {
  for (const part of parts) {
    if (part === '') throw new MongoError(15998, 'FieldPath field names may not be empty strings.')
    if (part.startsWith('$'))
      throw new MongoError(
        16410,
        `FieldPath field names may not start with '$'. Consider using $getField or $setField.`
      )
  }
}
