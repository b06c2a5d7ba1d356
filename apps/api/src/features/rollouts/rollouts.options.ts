import type { RunInTransaction } from '../../platform/store/transactions.ts'
import type { Board, BoardsRepository } from './boards.repository.ts'
import type { WantedImage } from './plan/choose-boards.ts'
import type { RolloutPlans } from './plan/rollout-plans.ts'
import type { RolloutsRepository } from './rollouts.repository.ts'
import type { TargetsRepository } from './targets/targets.repository.ts'

export interface RolloutsOptions {
  rollouts: RolloutsRepository
  targets: TargetsRepository
  plans: RolloutPlans
  boards: BoardsRepository
  /** @throws AppError NOT_FOUND. */
  findImage(fileName: string): Promise<RolloutImage>
  /** Returns whether the image exists, and locks it against deletion. */
  claimImage(fileId: string): Promise<boolean>
  newJobId(): string
  now(): number
  /** Returns the server's own address, as boards reach it. */
  base(): string
  /** Whether another admin must start a rollout. */
  needsApproval: boolean
  inTransaction: RunInTransaction
  /** Starts a pass now instead of at the next second. */
  wake(): void
  checkRoom(roomId: string, owners: ReadonlySet<string | null>): Promise<void>
}

/** The image of a rollout, with its requirements. */
export interface RolloutImage extends WantedImage {
  /** Whether a board cannot get to the image only because an intermediate version is withdrawn. */
  isStepWithdrawn(board: Board): boolean
  id: string
  filename: string
  hwModel: string | null
  isAbove(version: string): boolean
  /** Why it cannot be rolled out now, as a sentence; null if it can. */
  blockedBy: string | null
}
