import { type Document, isDocument } from '../bson/document.ts'
import { isExact, providesSort, type PreparedQuery } from './query.ts'
import type { Plan } from './plan.ts'

/** Describes a plan in the format of MongoDB's `explain`: a tree of stages, outermost first. */
export function describePlan(plan: Plan, query: PreparedQuery, projection?: unknown): Document {
  let stage = source(plan)
  if (plan.kind === 'index' || plan.kind === 'or') {
    stage = { stage: 'FETCH', ...(isExact(plan) ? {} : { filter: 'residual' }), inputStage: stage }
  }
  if (query.sort.length > 0 && !providesSort(plan)) {
    const sortPattern = Object.fromEntries(query.sort.map(({ path, direction }) => [path, direction]))
    stage = {
      stage: 'SORT',
      sortPattern,
      ...(query.limit === Infinity ? {} : { limitAmount: query.limit + query.skip }),
      inputStage: stage
    }
  }
  if (query.skip > 0) stage = { stage: 'SKIP', skipAmount: query.skip, inputStage: stage }
  if (query.limit !== Infinity) stage = { stage: 'LIMIT', limitAmount: query.limit, inputStage: stage }
  if (isDocument(projection) && Object.keys(projection).length > 0)
    stage = { stage: 'PROJECTION_DEFAULT', inputStage: stage }
  return stage
}

function source(plan: Plan): Document {
  switch (plan.kind) {
    case 'none':
      return { stage: 'EOF' }
    case 'scan':
      return { stage: 'COLLSCAN', direction: plan.direction === 1 ? 'forward' : 'backward' }
    case 'or':
      return { stage: 'OR', inputStages: plan.branches.map(source) }
    case 'index': {
      const { index } = plan
      const scan = {
        stage: 'IXSCAN',
        keyPattern: index.spec['key'],
        indexName: index.name,
        isMultiKey: index.multikey.size > 0,
        isUnique: index.unique,
        isSparse: index.sparse,
        isPartial: index.partial !== null,
        direction: plan.direction === 1 ? 'forward' : 'backward',
        ranges: plan.ranges.length,
        boundedFields: index.fields.filter((_, i) => plan.bounds[i] !== null).map(({ path }) => path)
      }
      return plan.merge ? { stage: 'SORT_MERGE', inputStage: scan } : scan
    }
  }
}
