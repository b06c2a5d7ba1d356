import { isRecord } from '@batti/kit/json'
import { deviceClaim, type DeviceClaim } from '@batti/contracts'
import { useEffect, useState } from 'react'
import { z } from 'zod'
import { keptDraft } from '#web/lib/form/kept-draft.ts'
import { tabStorage } from '#web/lib/form/tab-storage.ts'
import { whenHidden } from '#web/lib/form/when-hidden.ts'
import { useServices, useUser } from '#web/lib/services.ts'

const kept = keptDraft('setup-sent', z.object({ claim: deviceClaim, sentAt: z.number() }))

/** The entry of the browser's history: it is there after a reload, and not for who opens the page by a link. */
const entry = (): Record<string, unknown> => {
  const state: unknown = window.history.state
  return isRecord(state) ? state : {}
}

/** Returns the code that this page had sent to a board before it was loaded again, while the code is valid; else null. */
export function useSentClaim(): { claim: DeviceClaim; sentAt: number } | null {
  const userId = useUser()?._id ?? ''
  const { serverTime } = useServices()
  const [sent] = useState(() => kept.read(tabStorage, userId))
  const [openedAt] = useState(() => serverTime.now())
  if (sent === null || entry()['sentClaim'] !== sent.claim.id) return null
  return Date.parse(sent.claim.expiresAt) > openedAt ? sent : null
}

/**
 * Keeps a code that was sent to a board (`sentAt` not null) whenever the page is hidden: a phone that joins the board's
 * Wi-Fi and comes back may have ended the page meanwhile. Until the page is left for another one of the app.
 */
export function useKeepSent(claim: DeviceClaim | undefined, sentAt: number | null): void {
  const userId = useUser()?._id ?? ''
  useEffect(() => {
    if (claim === undefined || sentAt === null) return undefined
    window.history.replaceState({ ...entry(), sentClaim: claim.id }, '')
    const stop = whenHidden(() => kept.keep(tabStorage, { claim, sentAt }, userId))
    return () => {
      stop()
      kept.forget(tabStorage)
    }
  }, [claim, sentAt, userId])
}
