import { useEffect, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'
import { z } from 'zod'
import { keptDraft } from '#web/lib/form/kept-draft.ts'
import { tabStorage } from '#web/lib/form/tab-storage.ts'
import { useUser } from '#web/lib/services.ts'
import { useKeepTyped } from '#web/lib/use-keep-typed.ts'
import { draftOf, rolloutDraft, type RolloutDraft } from './draft.ts'

const kept = keptDraft('rollout-draft', z.object({ at: z.string(), draft: rolloutDraft }))

/** The draft of a new rollout, kept with its entry of the browser's history: for a reload, and for Back and Forward. */
export function useRolloutDraft() {
  const userId = useUser()?._id ?? ''
  const [params] = useSearchParams()
  const { key, search } = useLocation()
  // As it was opened: the page of the started rollout has another one.
  const [at] = useState(`${key}${search}`)
  const [untouched] = useState(() => draftOf(params))
  const [draft, setDraft] = useState(() => {
    const found = kept.read(tabStorage, userId)
    return found?.at === at ? found.draft : untouched
  })
  const isTyped = draft !== untouched
  useKeepTyped(isTyped)
  useEffect(() => {
    if (isTyped) kept.keep(tabStorage, { at, draft }, userId)
  }, [isTyped, at, draft, userId])
  return {
    draft,
    change: (fields: Partial<RolloutDraft>) => setDraft((before) => ({ ...before, ...fields })),
    forget: () => kept.forget(tabStorage)
  }
}
