import type { Filter } from '../query/filter.ts'
import { badValue } from '../errors.ts'
import type { Plan, PlanRequest } from './plan.ts'
import { conjuncts, mayServe, planIndex, type Candidate } from './index-plan.ts'

const isNever = (filter: Filter): boolean =>
  filter.kind === 'never' ||
  (filter.kind === 'and' && filter.parts.some(isNever)) ||
  (filter.kind === 'field' &&
    filter.leaf.op === 'in' &&
    filter.leaf.values.length === 0 &&
    filter.leaf.patterns.length === 0)

/**
 * Chooses a plan for a query: the index with the longest equality prefix, then one range or `$in`, then the sort; else a
 * scan of the collection. An `$or` becomes a union if every branch has an index.
 */
export function choosePlan(request: PlanRequest): Plan {
  const { filter, sort, hint } = request
  if (isNever(filter)) return { kind: 'none' }
  const natural = sort.length === 1 && sort[0]?.path === '$natural' ? sort[0].direction : null
  const hinted = hint && 'natural' in hint ? hint.natural : null
  const direction = natural ?? hinted
  if (direction !== null) return { kind: 'scan', direction, providesSort: natural !== null || sort.length === 0 }
  const predicates = conjuncts(filter)
  if (hint && !('natural' in hint)) {
    const candidate = planIndex(hint, request, predicates, true)
    if (!candidate) throw badValue(`hint provided does not correspond to an existing index`)
    return candidate.plan
  }
  let best: Candidate | null = null
  for (const index of request.indexes) {
    if (index.hidden || !mayServe(index, predicates, sort)) continue
    const candidate = planIndex(index, request, predicates)
    if (!candidate || (!candidate.bounded && !(sort.length > 0 && candidate.plan.providesSort))) continue
    // No plan is better than one document by its key.
    if (candidate.plan.single) return candidate.plan
    if (!best || candidate.score > best.score) best = candidate
  }
  if (best?.bounded) return best.plan
  return planOr(request) ?? best?.plan ?? { kind: 'scan', direction: 1, providesSort: sort.length === 0 }
}

function planOr(request: PlanRequest): Plan | null {
  const { filter } = request
  const parts = filter.kind === 'and' ? filter.parts : [filter]
  const or = parts.find((part) => part.kind === 'or')
  if (or?.kind !== 'or') return null
  const rest = parts.filter((part) => part !== or)
  const branches: Plan[] = []
  for (const part of or.parts) {
    const plan = choosePlan({ ...request, sort: [], filter: { kind: 'and', parts: [part, ...rest] } })
    if (plan.kind === 'scan') return null
    if (plan.kind !== 'none') branches.push(plan)
  }
  return { kind: 'or', branches }
}
