import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router-dom'
import { notify } from '#web/lib/notify.ts'

interface Wanted {
  /** The record that the address names, in a sheet; null if it names none. */
  id: string | null
  records: readonly { _id: string }[]
  words: string
}

/** Says that the record of an open sheet is no longer in its list, and clears the address, which closes the sheet. */
export function useGoneRecord(
  { isSuccess, isFetching }: Pick<UseQueryResult, 'isSuccess' | 'isFetching'>,
  { id, records, words }: Wanted
): void {
  const [, setParams] = useSearchParams()
  const isGone = id !== null && isSuccess && !isFetching && !records.some(({ _id }) => _id === id)
  useEffect(() => {
    if (!isGone) return
    notify.error(words, 'gone')
    setParams({}, { replace: true })
    document.querySelector('main')?.focus()
  }, [isGone, setParams, words])
}
