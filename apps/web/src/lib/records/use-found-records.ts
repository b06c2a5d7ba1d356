import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Text, useText } from '#web/lib/i18n/use-text.ts'
import { useLater } from '../use-later.ts'

export interface FoundOptions<Record> {
  queryKey: readonly string[]
  /** '' returns the first few. */
  find: (search: string, signal: AbortSignal) => Promise<readonly Record[]>
  toItem: (record: Record, t: Text) => { value: string; label: string; more?: string }
  /** Messages when the first few failed to load, and when a search failed. */
  failed: { first: string; search: string }
  /** The initial name in the field. */
  initial?: string
}

/** The minimum number of letters for a search. */
const lettersMin = 3
const typedAfterMs = 250

/** Returns records to choose from: the first few, or from three letters on what the server finds. */
export function useFoundRecords<Record>({ queryKey, find, toItem, failed, initial = '' }: FoundOptions<Record>) {
  const t = useText()
  const [typed, setTyped] = useState(initial)
  const wanted = useLater(typed.trim(), typedAfterMs)
  const search = wanted.length >= lettersMin && wanted !== initial ? wanted : ''
  const found = useQuery({ queryKey: [...queryKey, 'pick', search], queryFn: ({ signal }) => find(search, signal) })
  const records = found.data ?? []
  const isShort = typed.trim() !== '' && typed.trim().length < lettersMin
  const status = found.isError
    ? search === ''
      ? failed.first
      : failed.search
    : found.isPending
      ? t('common.loading')
      : isShort
        ? t('pick.typeMore')
        : records.length === 0
          ? t('pick.none')
          : ''
  return {
    records,
    picker: { items: records.map((record) => toItem(record, t)), typed, onType: setTyped, status }
  }
}
