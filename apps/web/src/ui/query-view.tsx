import { useEffect, useState, type ReactNode } from 'react'
import { ApiError, errorMessage } from '#web/lib/api/api-error.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useServices } from '#web/lib/services.ts'
import { FailedState } from './failed-state.tsx'
import { VisuallyHidden } from './visually-hidden.tsx'

/** The part of a query that the view needs. */
export interface QueryState<Data> {
  data: Data | undefined
  error: Error | null
  isFetching: boolean
  refetch: () => unknown
}

export interface QueryViewProps<Data> {
  query: QueryState<Data>
  /** The same size as the content, so that nothing jumps. */
  loading: ReactNode
  /** Replaces the default text for screen readers while loading. */
  loadingLabel?: string | undefined
  /** The heading of an error. */
  failed: string
  /** One part of a page, beside others. */
  isPart?: boolean
  /** For a page of one record: what it shows when the record does not exist. */
  missing?: ReactNode
  isEmpty?: (data: Data) => boolean
  empty?: ReactNode
  children: (data: Data) => ReactNode
}

const loadingAfterMs = 150
const failedAfterMs = 10_000
const triesAgainMs = 10_000

/** Shows a query's pending, failed or empty state, or its data. Existing data stays visible during a refetch. */
export function QueryView<Data>(props: QueryViewProps<Data>) {
  const { missing, isEmpty, empty, children, ...waiting } = props
  const { data, error } = props.query
  // A record can be deleted while it is shown.
  if (missing !== undefined && isOfNone(error)) return missing
  if (data !== undefined) return isEmpty?.(data) === true && empty !== undefined ? empty : children(data)
  return <Waiting {...waiting} />
}

type WaitingProps<Data> = Omit<QueryViewProps<Data>, 'missing' | 'isEmpty' | 'empty' | 'children'>

/** Whether the address contains an invalid id, or the id of no record. */
export const isOfNone = (error: Error | null) =>
  error instanceof ApiError && (error.status === 400 || error.status === 404)

function Waiting<Data>({ query, loading, loadingLabel, failed, isPart = false }: WaitingProps<Data>) {
  const t = useText()
  const { error, isFetching, refetch } = query
  const wait = useWait(error === null)
  useTryAgain(query)
  if (error !== null || wait === 'too-long') {
    const answered = error instanceof ApiError && error.status > 0 ? error : null
    return (
      <FailedState
        title={failed}
        body={errorMessage(error, t(reasonOf(error))) ?? undefined}
        {...(answered !== null && { status: answered.status, requestId: answered.requestId })}
        triesAgain={mayPass(error)}
        isRetrying={isFetching && error !== null}
        isPart={isPart}
        onRetry={() => void refetch()}
      />
    )
  }
  if (wait === 'short') return null
  return (
    <>
      <VisuallyHidden live="polite">{loadingLabel ?? t('common.loading')}</VisuallyHidden>
      {loading}
    </>
  )
}

/** Returns how long the answer has been pending: too short to show anything, loading, or too long. */
function useWait(isWaiting: boolean): 'short' | 'loading' | 'too-long' {
  const { clock } = useServices()
  const [wait, setWait] = useState<'short' | 'loading' | 'too-long'>('short')
  useEffect(() => {
    if (!isWaiting) return undefined
    const cancelLoading = clock.after(loadingAfterMs, () => setWait('loading'))
    const cancelFailed = clock.after(failedAfterMs, () => setWait('too-long'))
    return () => {
      cancelLoading()
      cancelFailed()
      setWait('short')
    }
  }, [clock, isWaiting])
  return wait
}

/** Returns the text of a failure that has none of the server. */
function reasonOf(error: Error | null) {
  if (error === null) return 'common.noAnswerInTime'
  const isMisunderstood = error instanceof ApiError && error.status > 0 && error.status < 400
  return isMisunderstood ? 'common.misunderstood' : 'common.failedBody'
}

/** Whether a retry may help: never after a refusal, but after a missing answer or a server error. */
const mayPass = (error: Error | null) => !(error instanceof ApiError) || error.status === 0 || error.status >= 500

function useTryAgain({ error, isFetching, refetch }: Omit<QueryState<unknown>, 'data'>) {
  const { clock } = useServices()
  useEffect(() => {
    if (error === null || isFetching || !mayPass(error)) return undefined
    return clock.after(triesAgainMs, () => void refetch())
  }, [clock, error, isFetching, refetch])
}
