import { weakSignalDbm, type SharedTrait } from '@batti/contracts'
import type { Board } from '../boards.repository.ts'

/** A trait is reported if at least this share of the failed boards has it, and at most half that share of the others. */
const shareMin = 0.75
const boardsMin = 2

interface Trait {
  what: SharedTrait['what']
  of(board: Board): string | null
}

const traits: readonly Trait[] = [
  { what: 'hwModel', of: ({ hwModel }) => hwModel },
  { what: 'owner', of: ({ userId }) => (userId === null ? null : String(userId)) },
  { what: 'signal', of: ({ wifiRSSI }) => (wifiRSSI !== null && wifiRSSI < weakSignalDbm ? 'weak' : null) }
]

/** Returns what boards that failed for one reason have in common, compared with updated boards of the same rollout. */
export function sharedTraits(failed: readonly Board[], updated: readonly Board[]): SharedTrait[] {
  if (failed.length < boardsMin || updated.length === 0) return []
  return traits.flatMap(({ what, of }) => {
    const counts = new Map<string, number>()
    for (const board of failed) {
      const value = of(board)
      if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1)
    }
    return [...counts].flatMap(([value, count]) => {
      const share = count / failed.length
      const elsewhere = updated.filter((board) => of(board) === value).length / updated.length
      return share >= shareMin && elsewhere <= share / 2 ? [{ what, value, count }] : []
    })
  })
}
