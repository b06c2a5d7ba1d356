import { safeStorage } from '#web/lib/storage.ts'

/** Storage of this tab, removed when it is closed. */
export const tabStorage = safeStorage(() => window.sessionStorage)

const draftKeys = ['setup-draft', 'setup-typed', 'setup-sent', 'rollout-draft'] as const
export type DraftKey = (typeof draftKeys)[number]

/** Call when the session has ended on this page: nothing that was typed is left in its tab. */
export const forgetDrafts = (): void => draftKeys.forEach((key) => tabStorage.removeItem(key))
