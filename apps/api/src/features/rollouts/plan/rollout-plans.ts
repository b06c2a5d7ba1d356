import { minuteMs } from '@batti/kit/durations'
import { Schema, type Connection, type Model, type Types } from 'mongoose'
import type { RolloutsRepository } from '../rollouts.repository.ts'
import type { TargetsRepository } from '../targets/targets.repository.ts'

export interface PlanDocument {
  /** The id of the future rollout. */
  _id: Types.ObjectId
  begunAt: Date
  /** Its boards are being released; missing otherwise. */
  isDropped?: boolean
}

/** Storing the boards of a large rollout takes seconds; a plan that is this old was interrupted. */
const interruptedAfterMs = 10 * minuteMs

/** Rollouts whose boards are being stored. The boards are taken from then on, and released if the rollout is never stored. */
export function createRolloutPlans(deps: {
  model: Model<PlanDocument>
  rollouts: Pick<RolloutsRepository, 'stateOf'>
  targets: Pick<TargetsRepository, 'deleteOf'>
  now(): number
}) {
  const { model, rollouts, targets, now } = deps

  /** Does nothing if the rollout was stored, which cannot happen any more once the plan is marked. */
  async function drop(id: string): Promise<void> {
    await model.updateOne({ _id: id }, { $set: { isDropped: true } })
    if ((await rollouts.stateOf(id)) !== null) return
    await targets.deleteOf(id)
    await model.deleteOne({ _id: id })
  }

  return {
    begin: (id: string) => model.create({ _id: id, begunAt: new Date(now()) }),
    /** Call in the transaction that stores the rollout. Returns false if the plan was dropped. */
    end: async (id: string): Promise<boolean> =>
      (await model.deleteOne({ _id: id, isDropped: { $ne: true } })).deletedCount === 1,
    drop,
    /** Releases the boards of plans whose instance ended before the rollout was stored. */
    async dropInterrupted(): Promise<void> {
      const found = await model.find({ begunAt: { $lt: new Date(now() - interruptedAfterMs) } }, { _id: 1 }).lean()
      for (const { _id } of found) await drop(String(_id))
    }
  }
}
export type RolloutPlans = ReturnType<typeof createRolloutPlans>

export function createPlanModel(connection: Connection): Model<PlanDocument> {
  const schema = new Schema<PlanDocument>(
    { begunAt: Date, isDropped: Boolean },
    { versionKey: false, collection: 'rolloutPlans' }
  )
  schema.index({ begunAt: 1 })
  return connection.model<PlanDocument>('RolloutPlan', schema)
}
