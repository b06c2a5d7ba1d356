import DataLoader from 'dataloader'

/** Nothing asks for more in one command. */
const readAtOnce = 500
/** Boards come back together; nobody who waits for one notices. */
const usualGatherMs = 50

/**
 * One read for all ids that are asked for within `gatherMs`; null for those that `read` does not find. Nothing is kept: who
 * asks later reads anew.
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
