import type { RunInTransaction } from '../../platform/store/transactions.ts'
import type { BoardsRepository } from './boards.repository.ts'
import type { WantedImage } from './choose-boards.ts'
import type { RolloutsRepository } from './rollouts.repository.ts'
import type { TargetsRepository } from './targets.repository.ts'

export interface RolloutsOptions {
  rollouts: RolloutsRepository
  targets: TargetsRepository
  boards: BoardsRepository
  /** @throws AppError NOT_FOUND. */
  findImage(fileName: string): Promise<RolloutImage>
  /** Whether there is such an image for a rollout to be made of, and it stays. */
  claimImage(fileId: string): Promise<boolean>
  newJobId(): string
  now(): number
  /** The server's own address, as boards reach it. */
  base(): string
  /** Another admin must start what one has made. */
  needsApproval: boolean
  inTransaction: RunInTransaction
  /** It is looked at now, not at the next full second. */
  wake(): void
  checkRoom(roomId: string, owners: ReadonlySet<string | null>): Promise<void>
}

/** An image that a rollout names, with what it asks of boards. */
export interface RolloutImage extends WantedImage {
  id: string
  filename: string
  hwModel: string | null
  isAbove(version: string): boolean
  /** Why it cannot be rolled out now, as a sentence; null when it can. */
  blockedBy: string | null
}
