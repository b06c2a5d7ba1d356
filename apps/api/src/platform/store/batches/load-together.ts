import DataLoader from 'dataloader'

/** No command may ask for more. */
const readAtOnce = 500
/** Boards reconnect together, and nobody notices this delay. */
const usualGatherMs = 50

/**
 * Combines all ids requested within `gatherMs` into one read; null for ids that `read` does not find. Nothing is cached:
 * later requests read again.
 */
export function loadTogether<Found>(
  read: (ids: readonly string[]) => Promise<ReadonlyMap<string, Found>>,
  { gatherMs = usualGatherMs }: { gatherMs?: number } = {}
): (id: string) => Promise<Found | null> {
  const loader = new DataLoader<string, Found | null>(
    async (ids) => {
      const found = await read(ids)
      return ids.map((id) => found.get(id) ?? null)
    },
    { cache: false, maxBatchSize: readAtOnce, batchScheduleFn: (run) => void setTimeout(run, gatherMs) }
  )
  return (id) => loader.load(id)
}
