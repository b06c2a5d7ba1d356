import { limitReached } from '../../platform/app-error.ts'
import type { DevicesRepository } from './devices.repository.ts'

/** Limits the boards of one account, however it gets them; 0 turns the limit off. */
export function createBoardLimit(devices: Pick<DevicesRepository, 'countOfUser'>, max: number) {
  return {
    hasRoom: async (userId: string): Promise<boolean> => max === 0 || (await devices.countOfUser(userId)) < max,
    refusal: () => limitReached(`An account has at most ${max} boards. Delete one first.`)
  }
}
export type BoardLimit = ReturnType<typeof createBoardLimit>
