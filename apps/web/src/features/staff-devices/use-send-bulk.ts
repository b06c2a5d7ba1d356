import { bulkDevices, bulkSettings, listRollouts, type BulkSettings } from '@batti/contracts'
import { useMakeOnce } from '#web/lib/api/use-make-once.ts'
import { useApi, useUser } from '#web/lib/services.ts'
import type { BulkTarget } from './bulk-change.ts'

/** Returns the call that starts a bulk change; one whose answer was lost is looked for by what it sets, among the person's own. */
export function useSendBulk() {
  const api = useApi()
  const me = useUser()
  return useMakeOnce(
    (body: BulkTarget & { set: BulkSettings }) => api.call(bulkDevices, { body }),
    async ({ set }, sinceMs) => {
      const wanted = JSON.stringify(bulkSettings.parse(set))
      const { rollouts } = await api.call(listRollouts, { query: { kind: 'settings', sort: '-createdAt', limit: 20 } })
      const made = rollouts.find(
        (change) =>
          Date.parse(change.createdAt) >= sinceMs &&
          change.createdBy === me?._id &&
          JSON.stringify(change.set) === wanted
      )
      return made && { id: made._id, total: made.total }
    }
  )
}
