import { limitReached } from '../../platform/app-error.ts'
import type { DevicesRepository } from './devices.repository.ts'

/** How many boards one account may have, however they come to it; 0 turns the limit off. */
export function createBoardLimit(devices: Pick<DevicesRepository, 'countOfUser'>, max: number) {
  const isFree = async (userId: string, others: number): Promise<boolean> =>
    max === 0 || (await devices.countOfUser(userId)) < max + others

  return {
    hasRoom: (userId: string): Promise<boolean> => isFree(userId, 0),
    /** Looked at again once a board is taken: of several at once none goes past the limit. */
    isKept: (userId: string): Promise<boolean> => isFree(userId, 1),
    refusal: () => limitReached(`An account has at most ${max} boards. Delete one first.`)
  }
}
export type BoardLimit = ReturnType<typeof createBoardLimit>
