import DataLoader from 'dataloader'

type ReadMany<Found> = (ids: readonly string[]) => Promise<ReadonlyMap<string, Found>>

/** No command may ask for more. */
const readAtOnce = 500
/** Boards reconnect together, and nobody notices this delay. */
const usualGatherMs = 50

/**
 * Combines all ids requested within `gatherMs` into one read; null for ids that `read` does not find. Nothing is cached:
 * later requests read again.
 */
export function loadTogether<Found>(
  read: ReadMany<Found>,
  { gatherMs = usualGatherMs }: { gatherMs?: number } = {}
): (id: string) => Promise<Found | null> {
  return loader(read, (run) => void setTimeout(run, gatherMs))
}

/** As `loadTogether`, but without a delay: combines the ids requested while a read runs. */
export function loadInTurn<Found>(read: ReadMany<Found>): (id: string) => Promise<Found | null> {
  let reading: Promise<unknown> = Promise.resolve()
  return loader(
    (ids) => {
      const found = read(ids)
      reading = found.catch(() => undefined)
      return found
    },
    (run) => void reading.then(run)
  )
}

function loader<Found>(read: ReadMany<Found>, schedule: (run: () => void) => void) {
  const reads = new DataLoader<string, Found | null>(
    async (ids) => {
      const found = await read(ids)
      return ids.map((id) => found.get(id) ?? null)
    },
    { cache: false, maxBatchSize: readAtOnce, batchScheduleFn: schedule }
  )
  return (id: string): Promise<Found | null> => reads.load(id)
}
