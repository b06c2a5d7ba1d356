interface BoardVersion {
  hwModel: string
  osVersion: string
}
export type FindOutdated = (boards: readonly (BoardVersion & { id: string })[]) => Promise<Set<string>>

const keyOf = ({ hwModel, osVersion }: BoardVersion): string => `${hwModel}\n${osVersion}`

/** Knows which versions are older than the newest file of their model, as of the last time it asked. */
export function createOutdatedVersions(findOutdated: FindOutdated) {
  let verdicts = new Map<string, boolean>()
  const unasked = new Set<string>()
  return {
    /** Undefined for a version that no board had when it last asked. */
    isOutdated(board: BoardVersion): boolean | undefined {
      const verdict = verdicts.get(keyOf(board))
      if (verdict === undefined) unasked.add(keyOf(board))
      return verdict
    },
    hasUnasked: () => unasked.size > 0,
    /** Asks about these versions. Returns which boards have one whose answer was missing. */
    async ask(versions: readonly BoardVersion[]): Promise<(board: BoardVersion) => boolean> {
      const missing = new Set(unasked)
      unasked.clear()
      const asked = versions.map(({ hwModel, osVersion }) => ({
        hwModel,
        osVersion,
        id: keyOf({ hwModel, osVersion })
      }))
      const outdated = await findOutdated(asked).catch((error: unknown) => {
        for (const key of missing) unasked.add(key)
        throw error
      })
      verdicts = new Map(asked.map(({ id }) => [id, outdated.has(id)]))
      return (board) => missing.has(keyOf(board))
    }
  }
}
