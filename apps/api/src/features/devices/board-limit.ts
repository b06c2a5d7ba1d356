import { limitReached } from '../../platform/app-error.ts'
import type { DevicesRepository } from './devices.repository.ts'

/** How many boards one account may have, however they come to it; 0 turns the limit off. */
export function createBoardLimit(devices: Pick<DevicesRepository, 'countOfUser'>, max: number) {
  return {
    hasRoom: async (userId: string): Promise<boolean> => max === 0 || (await devices.countOfUser(userId)) < max,
    refusal: () => limitReached(`An account has at most ${max} boards. Delete one first.`)
  }
}
export type BoardLimit = ReturnType<typeof createBoardLimit>
