import {
  getRollout,
  listFirmwareFiles,
  listRollouts,
  listRolloutTargets,
  retryRollout,
  updateRollout
} from '@batti/contracts'
import type { FirmwareFileRecord, RolloutRecord, UpdateErrorCode } from '@batti/contracts'
import { useQuery } from '@tanstack/react-query'
import { useChange } from '#web/lib/api/use-change.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useList } from '#web/lib/lists/use-list.ts'
import { queryKeys } from '#web/lib/query-keys.ts'
import { useApi } from '#web/lib/services.ts'
import { staffViews } from '#web/lib/records/staff-views.ts'
import { useSave } from '#web/lib/use-save.ts'

export const useRolloutList = () =>
  useList({
    name: 'rollouts',
    route: listRollouts,
    rows: ({ rollouts }) => rollouts,
    pageSize: 50,
    queryKey: queryKeys.rollouts,
    filters: ['state', 'kind']
  })

/** Queries one rollout; the staff room's events update it. */
export function useRollout(id: string) {
  const api = useApi()
  return useQuery({
    queryKey: [...queryKeys.rollouts, 'one', id],
    queryFn: ({ signal }) => api.call(getRollout, { params: { id }, signal })
  })
}

/** Queries the boards of a rollout. */
export const useTargetList = (id: string) =>
  useList({
    name: 'rollout-boards',
    route: { ...listRolloutTargets, path: listRolloutTargets.path.replace('{id}', id) },
    rows: ({ targets }) => targets.map((target) => ({ _id: target.deviceId, ...target })),
    pageSize: 50,
    queryKey: [...queryKeys.rollouts, 'targets', id],
    filters: ['phase']
  })

function useFiles<Found>(select: (files: FirmwareFileRecord[]) => Found, enabled = true) {
  const api = useApi()
  return useQuery({
    queryKey: [...queryKeys.firmwareFiles, 'all'],
    queryFn: async ({ signal }) => (await api.call(listFirmwareFiles, { query: { limit: 500 }, signal })).files,
    select,
    enabled
  })
}

/** Queries the files that a rollout can use, newest first. */
export const useReleasedFiles = () =>
  useFiles((files) => files.filter(({ state, withdrawn }) => state === 'released' && !withdrawn))

/** Returns whether the file of a stopped rollout was withdrawn, so that no board gets it any more. */
export const useIsWithdrawn = ({ state, fileName }: Pick<RolloutRecord, 'state' | 'fileName'>): boolean =>
  useFiles(
    (files) => files.some(({ filename, withdrawn }) => filename === fileName && withdrawn),
    state === 'paused' && fileName !== null
  ).data === true

/** Returns the actions on a running rollout. */
export function useRolloutActions(rollout: Pick<RolloutRecord, '_id'>) {
  const t = useText()
  const params = { id: rollout._id }
  const update = useChange(updateRollout, staffViews.rollouts)
  const again = useChange(retryRollout, staffViews.rollouts)
  const failed = t('rollouts.changeFailed')
  const changing = useSave((state: 'running' | 'paused' | 'cancelled') => update({ params, body: { state } }), {
    failed
  })
  const retrying = useSave((reason?: UpdateErrorCode) => again({ params, body: { ...(reason && { reason }) } }), {
    done: t('rollouts.retried'),
    failed
  })
  return {
    isBusy: changing.isSaving || retrying.isSaving,
    change: (state: 'running' | 'paused' | 'cancelled') => void changing.save(state),
    /** Retries the boards of one reason, or all that failed. */
    retry: (reason?: UpdateErrorCode) => void retrying.save(reason)
  }
}
export type RolloutActions = ReturnType<typeof useRolloutActions>
