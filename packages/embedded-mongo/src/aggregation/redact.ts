import { isDocument, setField, type Document } from '../bson/document.ts'
import { MongoError } from '../errors.ts'
import { PAUSE } from '../storage/pause.ts'
import { compileExpression } from './expression.ts'
import type { PipelineOptions, Stage, Variables } from './stage.ts'

/** `$redact`: keeps, prunes or descends into each level of a document. */
export const compileRedact = (spec: unknown, options: PipelineOptions): Stage => {
  const decide = compileExpression(spec, options)
  const redact = (document: Document, variables: Variables): Document | null => {
    const verdict = decide(document, variables)
    if (verdict === '$$PRUNE') return null
    if (verdict === '$$KEEP') return document
    if (verdict !== '$$DESCEND')
      throw new MongoError(
        17053,
        "$redact's expression should not return anything aside from the variables $$KEEP, $$DESCEND, and $$PRUNE"
      )
    const result: Document = {}
    for (const [field, value] of Object.entries(document)) {
      const inner = descend(value, variables)
      if (inner !== undefined) setField(result, field, inner)
    }
    return result
  }
  const descend = (value: unknown, variables: Variables): unknown => {
    if (isDocument(value)) return redact(value, variables) ?? undefined
    if (Array.isArray(value))
      return value.map((element) => descend(element, variables)).filter((element) => element !== undefined)
    return value
  }
  return function* redacting(source, variables) {
    for (const document of source) {
      const result = document === PAUSE ? document : redact(document, variables)
      if (result !== null) yield result
    }
  }
}
