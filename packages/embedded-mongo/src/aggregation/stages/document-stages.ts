import { isDocument, setField, typeName, type Document } from '../../bson/document.ts'
import { MongoError } from '../../errors.ts'
import { shellText } from '../../bson/shell-text.ts'
import { compileProjection } from '../../query/projection.ts'
import { compileExpression } from '../expressions/expression.ts'
import type { ExpressionOptions } from '../expressions/scope.ts'

/** A stage that maps one document to one document. */
export type DocumentStage = (document: Document, variables?: ReadonlyMap<string, unknown>) => Document

type Added =
  | { kind: 'value'; compute: ReturnType<typeof compileExpression> }
  | { kind: 'tree'; fields: Map<string, Added> }

function compileAdded(value: unknown, options: ExpressionOptions): Added {
  if (isDocument(value) && Object.keys(value).length > 0 && !Object.keys(value)[0]?.startsWith('$')) {
    return {
      kind: 'tree',
      fields: new Map(Object.entries(value).map(([field, inner]) => [field, compileAdded(inner, options)]))
    }
  }
  return { kind: 'value', compute: compileExpression(value, options) }
}

function nest(path: string, leaf: Added): [string, Added] {
  const [first = '', ...rest] = path.split('.')
  return [first, rest.reduceRight<Added>((inner, part) => ({ kind: 'tree', fields: new Map([[part, inner]]) }), leaf)]
}

function joinTrees(a: Added, b: Added, path: string): Added {
  if (a.kind !== 'tree' || b.kind !== 'tree') {
    throw new MongoError(
      40176,
      `Invalid $addFields :: caused by :: specification contains two conflicting paths. Cannot specify both '${path}' and a path below it`
    )
  }
  const fields = new Map(a.fields)
  for (const [name, inner] of b.fields) {
    const known = fields.get(name)
    fields.set(name, known ? joinTrees(known, inner, `${path}.${name}`) : inner)
  }
  return { kind: 'tree', fields }
}

/** Sets fields of a document, and like MongoDB of all documents in arrays. `$$REMOVE` removes a field. */
function addTo(
  target: unknown,
  fields: ReadonlyMap<string, Added>,
  root: Document,
  variables?: ReadonlyMap<string, unknown>
): unknown {
  if (Array.isArray(target)) return target.map((element) => addTo(element, fields, root, variables))
  const result: Document = isDocument(target) ? { ...target } : {}
  for (const [name, added] of fields) {
    if (added.kind === 'tree') {
      setField(result, name, addTo(result[name], added.fields, root, variables))
      continue
    }
    const value = added.compute(root, variables)
    if (value === undefined) delete result[name]
    else setField(result, name, value)
  }
  return result
}

function addFields(spec: unknown, name: string, options: ExpressionOptions): DocumentStage {
  if (!isDocument(spec))
    throw new MongoError(40272, `${name} specification stage must be an object, got ${typeName(spec)}`)
  if (Object.keys(spec).length === 0)
    throw new MongoError(40177, `Invalid ${name} :: caused by :: specification must have at least one field`)
  const fields = new Map<string, Added>()
  for (const [path, value] of Object.entries(spec)) {
    if (path.startsWith('$'))
      throw new MongoError(
        16410,
        `Invalid ${name} :: caused by :: FieldPath field names may not start with '$'. Consider using $getField or $setField.`
      )
    const [first, added] = nest(path, compileAdded(value, options))
    const known = fields.get(first)
    fields.set(first, known ? joinTrees(known, added, first) : added)
  }
  return (document, variables) => {
    const result = addTo(document, fields, document, variables)
    return isDocument(result) ? result : document
  }
}

function replaceRoot(expression: unknown, options: ExpressionOptions): DocumentStage {
  const compute = compileExpression(expression, options)
  return (document, variables) => {
    const value = compute(document, variables)
    if (isDocument(value)) return value
    throw new MongoError(
      40228,
      `'newRoot' expression must evaluate to an object, but resulting value was: ${value === undefined ? 'MISSING' : shellText(value)}. Type of resulting value: '${typeName(value)}'. Input document: ${shellText(document)}`
    )
  }
}

/** Compiles the stage if it is one of these; null otherwise. */
export function compileDocumentStage(name: string, spec: unknown, options: ExpressionOptions): DocumentStage | null {
  switch (name) {
    case '$set':
    case '$addFields':
      return addFields(spec, name, options)
    case '$unset': {
      const paths = Array.isArray(spec) ? spec : [spec]
      for (const path of paths)
        if (typeof path !== 'string') throw new MongoError(31002, '$unset specification must be a string or an array')
      return projection(Object.fromEntries(paths.map((path) => [String(path), 0])), options)
    }
    case '$project':
      if (!isDocument(spec)) throw new MongoError(15969, '$project specification must be an object')
      if (Object.keys(spec).length === 0)
        throw new MongoError(
          51272,
          'Invalid $project :: caused by :: projection specification must have at least one field'
        )
      return projection(spec, options)
    case '$replaceWith':
      return replaceRoot(spec, options)
    case '$replaceRoot':
      if (!isDocument(spec) || !Object.hasOwn(spec, 'newRoot'))
        throw new MongoError(40231, 'no newRoot specified for the $replaceRoot stage')
      return replaceRoot(spec['newRoot'], options)
    default:
      return null
  }
}

function projection(spec: Document, options: ExpressionOptions): DocumentStage {
  // Computed fields use the variables of their pipeline.
  const bound: { variables: ReadonlyMap<string, unknown> | undefined } = { variables: undefined }
  const run = compileProjection(spec, {
    expression: (expression) => {
      const compute = compileExpression(expression, options)
      return (document) => compute(document, bound.variables)
    }
  })
  return (document, variables) => {
    bound.variables = variables
    return run(document)
  }
}
