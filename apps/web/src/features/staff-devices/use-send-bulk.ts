import { bulkDevices, listRollouts, type BulkSettings } from '@batti/contracts'
import { useMakeOnce } from '#web/lib/api/use-make-once.ts'
import { useApi, useUser } from '#web/lib/services.ts'
import type { BulkTarget } from './bulk-change.ts'

/** Returns the call that starts a bulk change; one whose answer was lost is looked for among the person's newest. */
export function useSendBulk() {
  const api = useApi()
  const me = useUser()
  return useMakeOnce(
    (body: BulkTarget & { set: BulkSettings }) => api.call(bulkDevices, { body }),
    async (_, sinceMs) => {
      const { rollouts } = await api.call(listRollouts, { query: { kind: 'settings', sort: '-createdAt', limit: 20 } })
      const made = rollouts.find(
        ({ createdAt, createdBy }) => Date.parse(createdAt) >= sinceMs && createdBy === me?._id
      )
      return made && { id: made._id, total: made.total }
    }
  )
}
