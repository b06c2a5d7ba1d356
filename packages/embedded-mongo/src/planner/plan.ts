import type { Filter } from '../query/filter.ts'
import type { Collation } from '../query/collation.ts'
import type { SortField } from '../query/sort.ts'
import type { Index } from '../storage/indexes/index-spec.ts'
import type { Interval, KeyRange } from './bounds.ts'

/** A plan to find documents. `exact`: everything found matches, so no filter is needed. */
export type Plan =
  | { kind: 'none' }
  | { kind: 'scan'; direction: 1 | -1; providesSort: boolean }
  | {
      kind: 'index'
      index: Index
      ranges: KeyRange[]
      direction: 1 | -1
      providesSort: boolean
      /** Each range is in sort order after this many bytes, so that merging them sorts. */
      merge: number[] | null
      exact: boolean
      /** Every field of a unique index has one fixed value, so there is one document at most. */
      single: boolean
      /** For `explain`: the bounds of each field of the index. */
      bounds: (Interval[] | null)[]
    }
  | { kind: 'or'; branches: Plan[] }

/** The order in which documents are stored, or its reverse. */
export interface Natural {
  natural: 1 | -1
}

export interface PlanRequest {
  filter: Filter
  sort: readonly SortField[]
  collation: Collation | null
  indexes: readonly Index[]
  /** An index by name or key pattern, or `$natural`. */
  hint: Index | Natural | null
}
