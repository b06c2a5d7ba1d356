import { previewSchedule } from '@batti/contracts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { CallOptions } from '@batti/client/request'
import { queryKeys } from '#web/lib/query-keys.ts'
import { useApi } from '#web/lib/services.ts'

export type PreviewBody = CallOptions<typeof previewSchedule>['body']

/** Queries the next five firings of the form's schedule, in the home's zone; disabled for null, an incomplete form. */
export function useSchedulePreview(body: PreviewBody | null) {
  const api = useApi()
  return useQuery({
    queryKey: [...queryKeys.schedules, 'preview', body],
    enabled: body !== null,
    retry: false,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => {
      if (body === null) throw new Error('A preview needs times')
      return api.call(previewSchedule, { body, signal })
    }
  })
}
