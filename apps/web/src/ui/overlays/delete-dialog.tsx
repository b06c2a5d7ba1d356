import { useRef } from 'react'
import { deleting } from '#web/lib/api/after-write.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { ConfirmChange } from './confirm-change.tsx'

export interface DeleteDialogProps {
  title: string
  body?: string
  confirmLabel?: string
  remove: () => Promise<unknown>
  done: string
  failed: string
  onClose: () => void
}

/** Returns the next focus: the row in the deleted one's place, the search field, or the page. */
const afterDeleted = () =>
  document.querySelector<HTMLElement>('main tbody tr[tabindex="0"]') ??
  document.querySelector<HTMLElement>('main input[type=search]') ??
  document.querySelector('main')

/** Asks before a deletion, runs it, and reports its result. */
export function DeleteDialog({ confirmLabel, remove, ...question }: DeleteDialogProps) {
  const t = useText()
  const isGone = useRef(false)
  async function change() {
    await deleting(remove())
    isGone.current = true
  }
  return (
    <ConfirmChange
      {...question}
      confirmLabel={confirmLabel ?? t('common.delete')}
      change={change}
      focusAfter={() => (isGone.current ? afterDeleted() : null)}
    />
  )
}
