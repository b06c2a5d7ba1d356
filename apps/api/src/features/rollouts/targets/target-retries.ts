import type { Model, QueryFilter } from 'mongoose'
import { commandMax } from '../../../platform/store/batches/in-batches.ts'
import type { PendingRetry } from '../rollout.model.ts'
import { backToWaiting, type TargetDocument } from './target.model.ts'

/** A board that an update has ended for, with the fields that must not have changed when it is queued again. */
export type EndedTarget = Pick<TargetDocument, '_id' | 'deviceId' | 'jobId' | 'phase'>

const toRetry = (rolloutId: string, { id, code, deviceIds }: PendingRetry): QueryFilter<TargetDocument> => ({
  rolloutId,
  phase: { $in: ['failed', 'rolled-back'] },
  retryId: { $ne: id },
  ...(code === null ? {} : { 'error.code': code }),
  ...(deviceIds === null ? {} : { deviceId: { $in: [...deviceIds] } })
})

/** Finds boards that an update has failed on, and queues them again. */
export function createTargetRetries(model: Model<TargetDocument>) {
  return {
    /** Returns a batch of boards to retry, without those of `except`. `isLast`: there are no more. */
    async findToRetry(rolloutId: string, retry: PendingRetry, except: readonly string[]) {
      const others = except.length === 0 ? [] : [{ deviceId: { $nin: [...except] } }]
      const found = await model
        .find({ $and: [toRetry(rolloutId, retry), ...others] }, { deviceId: 1, jobId: 1, phase: 1 })
        .limit(commandMax)
        .lean<EndedTarget[]>()
      return { found, isLast: found.length < commandMax }
    },
    countToRetry: (rolloutId: string, retry: PendingRetry) => model.countDocuments(toRetry(rolloutId, retry)),
    /** Queues ended boards again under new jobs, except those that have changed since the caller read them. */
    async queueAgain(
      ended: readonly EndedTarget[],
      { newJobId, at, fields }: { newJobId(): string; at: Date; fields: Partial<TargetDocument> }
    ): Promise<void> {
      await model.bulkWrite(
        ended.map(({ _id, jobId, phase }) => ({
          updateOne: {
            filter: { _id, jobId, phase },
            update: { $set: { ...backToWaiting(newJobId(), at), isOpen: true, ...fields } }
          }
        }))
      )
    }
  }
}
