import { isDocument, setField, typeName, type Document } from '../../bson/document.ts'
import { MongoError } from '../../errors.ts'
import { collect, onlyField, streamOf, type CompilePipeline, type PipelineOptions, type Stage } from './stage.ts'

/** `$facet`: runs several pipelines over the same documents, and returns their results in one document. */
export function compileFacet(spec: unknown, options: PipelineOptions, compilePipeline: CompilePipeline): Stage {
  if (!isDocument(spec) || Object.keys(spec).length === 0)
    throw new MongoError(40169, 'the $facet specification must be a non-empty object')
  const facets = Object.entries(spec).map(([name, stages]) => {
    if (!Array.isArray(stages))
      throw new MongoError(40170, `arguments to $facet must be arrays, ${name} is type ${typeName(stages)}`)
    for (const stage of stages) {
      const [inner] = onlyField(stage)
      if (['$facet', '$out', '$merge', '$geoNear', '$collStats'].includes(inner)) {
        throw new MongoError(40600, `${inner} is not allowed to be used within a $facet stage`)
      }
    }
    return { name, run: compilePipeline(stages, options) }
  })
  return function* faceting(source, variables) {
    const share = options.memory.share('$facet')
    try {
      const documents = yield* collect(source, share)
      const result: Document = {}
      for (const { name, run } of facets)
        setField(result, name, yield* collect(run(streamOf(documents), variables), share))
      yield result
    } finally {
      share.release()
    }
  }
}
