import type { RolloutKind, RolloutState } from '@batti/contracts'
import { Types, type Model, type QueryFilter, type UpdateQuery } from 'mongoose'
import type { Page } from '../../platform/paging.ts'
import type { RolloutDocument } from './rollout.model.ts'
import { movedBy, type ClockSet } from './targets/moved-by.ts'

export type NewRollout = Omit<RolloutDocument, '_id' | 'createdBy' | 'fileId' | 'leaseBy' | 'leaseUntil'> & {
  createdBy: string | null
  fileId: string | null
}

export interface RolloutFilter {
  state?: readonly RolloutState[] | undefined
  kind?: RolloutKind | undefined
  /** Matches the file's name or version. */
  search?: RegExp | undefined
}

/** Storage operations of rollouts; null if absent. `onChanged`: called for a new one, and when the state or stage has changed. */
export function createRolloutsRepository(model: Model<RolloutDocument>, onChanged: (rollout: RolloutDocument) => void) {
  return {
    newId: (): string => new Types.ObjectId().toHexString(),
    async insert(id: string, fields: NewRollout): Promise<RolloutDocument> {
      const made = (await model.create({ ...fields, _id: id, leaseUntil: new Date(0) })).toObject()
      onChanged(made)
      return made
    },
    findById: (id: string) => model.findById(id).lean<RolloutDocument>(),
    async list(filter: RolloutFilter, sort: Record<string, 1 | -1>, page: Page) {
      const ofAnyState: QueryFilter<RolloutDocument> = {
        isSingle: false,
        ...(filter.kind === undefined ? {} : { kind: filter.kind }),
        ...(filter.search === undefined ? {} : { $or: [{ fileName: filter.search }, { version: filter.search }] })
      }
      const condition = { ...ofAnyState, ...(filter.state === undefined ? {} : { state: { $in: [...filter.state] } }) }
      const [rollouts, states] = await Promise.all([
        model.find(condition).sort(sort).skip(page.skip).limit(page.limit).lean<RolloutDocument[]>(),
        model.aggregate<{ _id: RolloutState; count: number }>([
          { $match: ofAnyState },
          { $group: { _id: '$state', count: { $sum: 1 } } }
        ])
      ])
      const counted = states.filter(({ _id }) => filter.state?.includes(_id) ?? true)
      return {
        rollouts,
        total: counted.reduce((sum, { count }) => sum + count, 0),
        byState: Object.fromEntries(states.map(({ _id, count }) => [_id, count]))
      }
    },
    findActive: () =>
      model.find({ isActive: true }, { leaseUntil: 1 }).lean<Pick<RolloutDocument, '_id' | 'leaseUntil'>[]>(),
    /**
     * Takes or renews the lease; null while another instance holds it, or if nothing is left to do. A lease that ends after
     * `longest`, or at `unrenewed`, is void: a clock that was ahead gave it.
     */
    lease: (
      id: string,
      by: string,
      { now, until, longest, unrenewed }: { now: number; until: number; longest: number; unrenewed: Date | null }
    ) =>
      model
        .findOneAndUpdate(
          {
            _id: id,
            isActive: true,
            $or: [
              { leaseBy: by },
              { leaseUntil: { $lte: new Date(now) } },
              { leaseUntil: { $gt: new Date(longest) } },
              { leaseUntil: unrenewed }
            ]
          },
          { $set: { leaseBy: by, leaseUntil: new Date(until) } },
          { returnDocument: 'before' }
        )
        .lean<RolloutDocument>(),
    /** Releases the leases, so that another instance need not wait. */
    release: (by: string, at: Date) => model.updateMany({ leaseBy: by, isActive: true }, { $set: { leaseUntil: at } }),
    /** Moves the times that durations count from along with the clock, and notes that those of its boards must follow. */
    async moveTimes(id: string, set: ClockSet): Promise<void> {
      const stage = { startedAt: movedBy(set, '$$stage.startedAt'), endedAt: movedBy(set, '$$stage.endedAt') }
      const moved = {
        countedFrom: movedBy(set, '$countedFrom'),
        'watched.at': movedBy(set, '$watched.at'),
        stages: { $map: { input: '$stages', as: 'stage', in: { $mergeObjects: ['$$stage', stage] } } },
        clockSet: set
      }
      await model.updateOne({ _id: id }, [{ $set: moved }], { updatePipeline: true })
    },
    /** Notes that the times of its boards have followed as well. */
    timesMoved: (id: string) =>
      model.findByIdAndUpdate(id, { $unset: { clockSet: 1 } }, { returnDocument: 'after' }).lean<RolloutDocument>(),
    /** Applies only in the given states, so that two people, or a person and the engine, cannot both decide. */
    async change(
      id: string,
      states: readonly RolloutDocument['state'][],
      update: UpdateQuery<RolloutDocument>,
      rev?: number
    ): Promise<RolloutDocument | null> {
      const changed = await model
        .findOneAndUpdate({ _id: id, state: { $in: [...states] }, ...(rev === undefined ? {} : { rev }) }, update, {
          returnDocument: 'after'
        })
        .lean<RolloutDocument>()
      if (changed !== null) onChanged(changed)
      return changed
    },
    async stateOf(id: string): Promise<RolloutDocument['state'] | null> {
      return (await model.findById(id, { state: 1 }).lean<Pick<RolloutDocument, 'state'>>())?.state ?? null
    },
    /** Returns cancelled rollouts that may still have waiting boards. */
    findCancelled: async (): Promise<RolloutDocument['_id'][]> =>
      (await model.find({ isActive: true, state: 'cancelled' }, { _id: 1 }).lean<Pick<RolloutDocument, '_id'>[]>()).map(
        ({ _id }) => _id
      ),
    /** Returns the images of rollouts that may still send something. */
    findActiveImages: () =>
      model
        .find(
          { isActive: true, state: { $ne: 'cancelled' }, fileId: { $ne: null } },
          { fileId: 1, version: 1, follow: 1, state: 1 }
        )
        .lean<Pick<RolloutDocument, '_id' | 'fileId' | 'version' | 'follow' | 'state'>[]>()
  }
}
export type RolloutsRepository = ReturnType<typeof createRolloutsRepository>
