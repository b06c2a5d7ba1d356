import { isDocument, type Document } from '../../bson/document.ts'
import { MongoError } from '../../errors.ts'
import type { ExpressionOptions } from '../expressions/scope.ts'
import { compileDocumentStage } from './document-stages.ts'

const allowedStages = new Set(['$set', '$addFields', '$unset', '$project', '$replaceRoot', '$replaceWith'])

/** Compiles a pipeline-style update, whose stages map one document to one document. */
export function compilePipelineUpdate(
  stages: readonly unknown[],
  options: ExpressionOptions
): (document: Document) => Document {
  const steps = stages.map((stage) => {
    const [name, ...more] = isDocument(stage) ? Object.keys(stage) : []
    if (!isDocument(stage) || name === undefined || more.length > 0) {
      throw new MongoError(40323, 'A pipeline stage specification object must contain exactly one field.')
    }
    if (!allowedStages.has(name)) throw new MongoError(72, `${name} is not allowed to be used within an update`)
    const step = compileDocumentStage(name, stage[name], options)
    if (!step) throw new MongoError(40324, `Unrecognized pipeline stage name: '${name}'`)
    return step
  })
  return (document) => steps.reduce((current, step) => step(current), document)
}
