import { isDocument, type Document } from '../../bson/document.ts'
import { MongoError, typeMismatch } from '../../errors.ts'
import { compileExpression } from './expression.ts'
import type { ExpressionOptions } from './scope.ts'

/** Tells whether an expression refers to a field of a document. */
function namesField(expression: unknown): boolean {
  if (typeof expression === 'string') {
    return expression.startsWith('$$') ? /^\$\$(ROOT|CURRENT)(\.|$)/.test(expression) : expression.startsWith('$')
  }
  if (Array.isArray(expression)) return expression.some(namesField)
  if (!isDocument(expression) || '$literal' in expression) return false
  return Object.values(expression).some(namesField)
}

/**
 * Evaluates the constants of a command's `let`. Each is an expression that is evaluated once, before any document is read,
 * and may use the constants before it.
 */
export function evaluateLet(value: unknown, { now, text }: Omit<ExpressionOptions, 'let'>): Document {
  if (value === undefined || value === null) return {}
  if (!isDocument(value)) throw typeMismatch("BSON field 'let' is the wrong type, expected type 'object'")
  const constants: Document = {}
  for (const [name, expression] of Object.entries(value)) {
    if (!/^[a-z\u0080-\uffff][\w\u0080-\uffff]*$/i.test(name))
      throw new MongoError(9, `'${name}' contains an invalid character for a variable name`)
    if (namesField(expression)) {
      throw new MongoError(
        4890500,
        'Command let Expression tried to access a field, but this is not allowed because Command let Expressions run before the query examines any documents.'
      )
    }
    constants[name] = compileExpression(expression, { now, text, let: constants })({})
  }
  return constants
}
