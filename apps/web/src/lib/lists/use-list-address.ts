import { useMemo, useState } from 'react'
import { useSearchParams, type NavigateOptions } from 'react-router-dom'
import { useServices, useUser } from '#web/lib/services.ts'
import { changeListAddress, readFilters, readListAddress, rememberedPart, type ListAddress } from './list-address.ts'

export type ChangeList = (
  changes: Partial<ListAddress>,
  filters?: Readonly<Record<string, string>>,
  options?: NavigateOptions
) => void

/** The view of a list, kept in the address; its columns and density are also stored for the person. */
export function useListAddress(list: string, knownFilters: readonly string[]) {
  const { storage } = useServices()
  const user = useUser()
  const [params, setParams] = useSearchParams()
  const key = `list.${list}.${user?._id ?? ''}`
  const [remembered, setRemembered] = useState(() => storage.getItem(key) ?? '')
  const address = useMemo(() => readListAddress(params, new URLSearchParams(remembered)), [params, remembered])
  const filters = useMemo(() => readFilters(params, knownFilters), [params, knownFilters])

  const change: ChangeList = (changes, nextFilters = {}, options) => {
    const next = changeListAddress(params, changes, nextFilters)
    if (changes.columns !== undefined || changes.density !== undefined) {
      const kept = rememberedPart(changeListAddress(new URLSearchParams(remembered), changes))
      storage.setItem(key, kept)
      setRemembered(kept)
    }
    setParams(next, options)
  }
  const setFilter = (name: string, value: string, options?: NavigateOptions) => change({}, { [name]: value }, options)
  return { address, filters, change, setFilter }
}
