import { previewSchedule } from '@batti/contracts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { CallOptions } from '@batti/client/request'
import { queryKeys } from '#web/lib/query-keys.ts'
import { useApi } from '#web/lib/services.ts'

export type PreviewBody = CallOptions<typeof previewSchedule>['body']

/** The next five firings of what is in the form, in the home's zone; null while the form cannot say when it runs. */
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
