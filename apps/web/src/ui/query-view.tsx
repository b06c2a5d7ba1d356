import { useEffect, useState, type ReactNode } from 'react'
import { ApiError, errorMessage } from '#web/lib/api/api-error.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useServices } from '#web/lib/services.ts'
import { usePageTitle } from '#web/lib/use-page-title.ts'
import { EmptyState } from './empty-state.tsx'
import { FailedState } from './failed-state.tsx'
import { LinkButton } from './link-button.tsx'
import { VisuallyHidden } from './visually-hidden.tsx'

/** What a view needs to know of a query. */
export interface QueryState<Data> {
  data: Data | undefined
  error: Error | null
  isFetching: boolean
  refetch: () => unknown
}

export interface QueryViewProps<Data> {
  query: QueryState<Data>
  /** Of the size of what is loading, so that nothing jumps. */
  loading: ReactNode
  /** Said while it loads, where the plain word is not the one. */
  loadingLabel?: string | undefined
  /** The heading of a failure. */
  failed: string
  /** Of one record: what is said where no such one is, and its list, which is left to go on from. */
  missing?: { title: string; body?: string; list: { label: string; path: string } }
  isEmpty?: (data: Data) => boolean
  empty?: ReactNode
  children: (data: Data) => ReactNode
}

const loadingAfterMs = 150
const failedAfterMs = 10_000
const triesAgainMs = 10_000

/** Pending, failed, empty or there: each as everywhere. What is there stays in sight while it is asked for anew. */
export function QueryView<Data>(props: QueryViewProps<Data>) {
  const { missing, isEmpty, empty, children, ...waiting } = props
  const { data, error } = props.query
  // A record that was there can be deleted meanwhile.
  if (missing !== undefined && isOfNone(error)) return <Missing {...missing} />
  if (data !== undefined) return isEmpty?.(data) === true && empty !== undefined ? empty : children(data)
  return <Waiting {...waiting} />
}

type WaitingProps<Data> = Omit<QueryViewProps<Data>, 'missing' | 'isEmpty' | 'empty' | 'children'>

/** An address that holds no record's id, or the id of none. */
export const isOfNone = (error: Error | null) =>
  error instanceof ApiError && (error.status === 400 || error.status === 404)

function Missing({ list, ...words }: NonNullable<QueryViewProps<unknown>['missing']>) {
  usePageTitle(words.title)
  return <EmptyState {...words} action={<LinkButton to={list.path}>{list.label}</LinkButton>} />
}

function Waiting<Data>({ query, loading, loadingLabel, failed }: WaitingProps<Data>) {
  const t = useText()
  const { error, isFetching, refetch } = query
  const wait = useWait(error === null)
  useTryAgain(query)
  if (error !== null || wait === 'too-long') {
    const answered = error instanceof ApiError && error.status > 0 ? error : null
    return (
      <FailedState
        title={failed}
        body={error === null ? t('common.noAnswerInTime') : (errorMessage(error, t('common.failedBody')) ?? undefined)}
        {...(answered !== null && { status: answered.status, requestId: answered.requestId })}
        triesAgain={mayPass(error)}
        isRetrying={isFetching && error !== null}
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

/** How long the answer has been awaited: too short to show anything, loading, or too long to be hoped for. */
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

/** A refusal stays one; a missing answer may come. */
const mayPass = (error: Error | null) => !(error instanceof ApiError) || error.status === 0 || error.status >= 500

function useTryAgain({ error, isFetching, refetch }: Omit<QueryState<unknown>, 'data'>) {
  const { clock } = useServices()
  useEffect(() => {
    if (error === null || isFetching || !mayPass(error)) return undefined
    return clock.after(triesAgainMs, () => void refetch())
  }, [clock, error, isFetching, refetch])
}
