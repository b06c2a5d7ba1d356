import { Search } from 'lucide-react'
import { useLayoutEffect, useState } from 'react'
import { useText } from '#web/lib/i18n/use-text.ts'
import { createPart, usePart } from '#web/lib/use-part.ts'
import type { SessionUser } from '#web/lib/session/session-user.ts'
import { createKeyBuffer } from './key-buffer.ts'

const findDialog = createPart(async () => (await import('./find-dialog.tsx')).FindDialog)
const boardDialog = createPart(async () => (await import('#web/routes/parts/board-dialog.tsx')).BoardDialog)

const isMac = () => /mac|iphone|ipad/i.test(navigator.userAgent)

/** Whether the key belongs to a text field, or to something open over the page. */
const isElsewhere = (target: EventTarget | null) =>
  target instanceof Element &&
  target.closest('input, textarea, select, [contenteditable=true], [role=dialog], [role=alertdialog], [role=menu]') !==
    null

/** Opens the search for boards, people and pages: a button that looks like a field, a magnifier on phones, Ctrl K and /. */
export function FindLauncher({ user }: { user: SessionUser }) {
  const t = useText()
  const [early] = useState(createKeyBuffer)
  const [isOpen, setOpen] = useState(false)
  const [board, setBoard] = useState<{ kind: 'toggle' | 'update'; deviceId: string } | null>(null)
  const close = () => {
    early.take()
    setOpen(false)
  }
  const dialog = usePart(findDialog, isOpen, close)
  const boardsDialog = usePart(boardDialog, board !== null, () => setBoard(null))
  // In the same frame as the button, so that a visible shortcut works.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isCtrlK = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === 'k'
      const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !isElsewhere(event.target)
      if (early.keep(event)) return event.preventDefault()
      if (!isCtrlK && !isSlash) return
      event.preventDefault()
      if (isOpen) early.take()
      else early.start()
      setOpen(!isCtrlK || !isOpen)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [early, isOpen])
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K /"
        title={t('shell.findHint')}
        onClick={() => {
          early.start()
          setOpen(true)
        }}
        className="flex min-h-11 min-w-11 items-center gap-2.5 rounded-control px-3 text-14 text-ink-3 hover:bg-well hover:text-ink lg:w-80 pointer-fine:lg:min-h-9 lg:shrink-0 lg:border lg:border-edge"
      >
        <Search aria-hidden="true" size={18} />
        <span className="truncate max-lg:sr-only">{t('shell.findHint')}</span>
        <kbd
          aria-hidden="true"
          className="ml-auto hidden shrink-0 rounded-md border border-line px-1.5 font-sans text-12 pointer-fine:lg:block"
        >
          {isMac() ? '⌘ K' : 'Ctrl K'}
        </kbd>
      </button>
      {dialog?.({
        user,
        early,
        onClose: close,
        onBoard: (kind, deviceId) => setBoard({ kind, deviceId })
      })}
      {board !== null && boardsDialog?.({ ...board, onClose: () => setBoard(null) })}
    </>
  )
}
