import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { searchEverything } from '@batti/contracts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Search, X } from 'lucide-react'
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { useNavigate } from 'react-router-dom'
import { mayOpen } from '#web/app/routing/screens.ts'
import { iconButtonClass } from '#web/ui/icon-button.tsx'
import { useBackCloses } from '#web/ui/overlays/use-back-closes.ts'
import { copyAndTell } from '#web/lib/copy-text.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useTexts } from '#web/lib/i18n/use-texts.ts'
import { useApi } from '#web/lib/services.ts'
import { mayControlSwitches, type SessionUser } from '#web/lib/session/session-user.ts'
import { useLater } from '#web/lib/use-later.ts'
import { linksTo } from '#web/app/shell/nav-links.ts'
import { pageLabels } from '#web/app/shell/page-labels.ts'
import { staffGroupsOf } from '#web/app/shell/staff-nav.ts'
import type { KeyBuffer } from './key-buffer.ts'
import { findGroups, type FindGroup, type FindItem } from './find-groups.ts'
import { FindLine } from './find-line.tsx'

export interface FindDialogProps {
  user: SessionUser
  /** Keys typed before the field was loaded. */
  early: KeyBuffer
  onClose: () => void
  /** Opens a board's switches, or its firmware update, over the page. */
  onBoard: (kind: 'toggle' | 'update', deviceId: string) => void
}

const typedAfterMs = 150
const lettersMin = 2

/** Finds boards, people and pages by a name, a MAC, a phone number or an id. On phones it opens from the bottom. */
export function FindDialog(props: FindDialogProps) {
  const t = useText()
  const isThere = useTexts('find')
  useBackCloses(isThere, props.onClose)
  if (!isThere) return null
  return (
    <Dialog.Root open onOpenChange={(isOpen) => isOpen || props.onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-veil transition-opacity duration-240 data-starting-style:opacity-0" />
        <Dialog.Viewport className="fixed inset-0 z-50 grid grid-cols-[minmax(0,1fr)] items-end sm:items-start sm:justify-items-center sm:px-6 sm:pt-[12vh]">
          <Dialog.Popup
            aria-label={t('shell.find')}
            className="flex max-h-[85dvh] w-full flex-col overflow-hidden rounded-t-[28px] border-t border-line bg-raised shadow-float outline-none transition-[translate,opacity] duration-240 ease-out data-starting-style:translate-y-4 data-starting-style:opacity-0 sm:max-h-[70vh] sm:max-w-160 sm:rounded-card sm:border"
          >
            <Finder {...props} />
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Finder({ user, early, onClose, onBoard }: FindDialogProps) {
  const t = useText()
  const navigate = useNavigate()
  const hintId = useId()
  const [typed, setTyped] = useState('')
  const current = useRef<FindItem | undefined>(undefined)
  const { groups, status, isUnanswered } = useFound(typed, user)
  const isEntered = useEarlyEnter({ groups, isUnanswered }, (item) => run(item, false))

  function run({ does }: FindItem, isApart: boolean) {
    if ('go' in does && isApart) return void window.open(does.go, '_blank', 'noopener')
    onClose()
    if ('toggle' in does) return onBoard('toggle', does.toggle)
    if ('update' in does) return onBoard('update', does.update)
    if ('copy' in does) return void copyAndTell(does.copy, { copied: t('find.copied'), failed: t('find.copyFailed') })
    if (does.go.startsWith('tel:')) window.location.assign(does.go)
    else void navigate(does.go)
  }
  const onFocus = () => {
    const before = early.take()
    setTyped((since) => before + since)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    const item = current.current
    // What is listed is of the text before; pages are found without the server.
    const isEarly = isUnanswered && item?.kind !== 'page'
    const isApart = event.ctrlKey || event.metaKey
    if (!isEarly && (!isApart || item === undefined)) return
    event.preventDefault()
    event.stopPropagation()
    if (isEarly) isEntered.current = !isApart
    else if (item !== undefined) run(item, true)
  }
  return (
    <Autocomplete.Root
      inline
      open
      items={groups}
      mode="none"
      autoHighlight="always"
      keepHighlight
      value={typed}
      // Choosing an item also changes the value, but that is not typed text.
      onValueChange={(value, { reason }) => {
        if (reason === 'item-press') return
        isEntered.current = false
        setTyped(value)
      }}
      itemToStringValue={({ label }: FindItem) => label}
      onItemHighlighted={(item) => {
        current.current = item
      }}
    >
      <div className="flex items-center gap-3 border-b border-line pr-2 pl-5">
        <Search aria-hidden="true" size={20} className="text-ink-3" />
        <Autocomplete.Input
          aria-label={t('shell.findHint')}
          aria-describedby={hintId}
          placeholder={t('shell.findHint')}
          maxLength={200}
          onFocus={onFocus}
          onKeyDownCapture={onKeyDown}
          className="min-h-14 min-w-0 flex-1 bg-transparent text-16 outline-none placeholder:text-ink-3"
        />
        <Dialog.Close className={iconButtonClass} aria-label={t('common.close')} title={t('common.close')}>
          <X size={20} />
        </Dialog.Close>
      </div>
      <Autocomplete.Status className="px-5 text-14 text-ink-3 not-empty:py-3">{status}</Autocomplete.Status>
      <Autocomplete.List className="min-h-0 flex-1 scroll-py-2 overflow-y-auto overscroll-contain px-2 pb-2 outline-none">
        {(group: FindGroup) => (
          <Autocomplete.Group key={group.title} items={group.items} className="pt-1">
            <Autocomplete.GroupLabel className="px-3 pt-2 pb-1 text-12 font-medium text-ink-3">
              {group.title}
            </Autocomplete.GroupLabel>
            <Autocomplete.Collection>
              {(item: FindItem) => (
                <Autocomplete.Item
                  key={item.id}
                  value={item}
                  onClick={(event) => run(item, event.ctrlKey || event.metaKey)}
                  className="flex min-h-11 cursor-default items-center gap-3 rounded-xl px-3 text-14 outline-none select-none data-highlighted:bg-well"
                >
                  <FindLine item={item} typed={typed} />
                </Autocomplete.Item>
              )}
            </Autocomplete.Collection>
          </Autocomplete.Group>
        )}
      </Autocomplete.List>
      <p
        id={hintId}
        className="hidden flex-wrap gap-x-4 border-t border-line px-5 py-2.5 text-12 text-ink-3 pointer-fine:sm:flex"
      >
        <span>{t('find.keys')}</span>
        <span className="ml-auto">{t('find.understands')}</span>
      </p>
    </Autocomplete.Root>
  )
}

/** Returns a ref to set at an Enter before the answer to the typed text: the first hit of that answer is run then. */
function useEarlyEnter({ groups, isUnanswered }: Omit<Found, 'status'>, run: (item: FindItem) => void) {
  const isEntered = useRef(false)
  useEffect(() => {
    if (isUnanswered || !isEntered.current) return
    isEntered.current = false
    const [first] = groups.flatMap(({ items }) => items)
    if (first !== undefined) run(first)
  })
  return isEntered
}

interface Found {
  groups: FindGroup[]
  status: string
  /** The server has not answered for the typed text yet. */
  isUnanswered: boolean
}

/** Returns the choices for the typed text, and the status text. */
function useFound(typed: string, user: SessionUser): Found {
  const t = useText()
  const api = useApi()
  const wanted = useLater(typed.trim(), typedAfterMs)
  const isAsked = wanted.length >= lettersMin
  const found = useQuery({
    queryKey: ['find', wanted],
    queryFn: ({ signal }) => api.call(searchEverything, { query: { q: wanted }, signal }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
    staleTime: 10_000
  })
  const hits = isAsked && typed.trim().length >= lettersMin ? (found.data ?? null) : null
  // Memoized: the list compares groups by identity.
  const groups = useMemo(() => {
    const links = [
      ...staffGroupsOf(user).flatMap((group) => group.links),
      ...linksTo(user, [{ page: 'profile' as const, label: pageLabels.profile }])
    ]
    return findGroups({
      typed: typed.trim(),
      found: hits,
      area: `/${user.role}`,
      mayOpen: (path) => mayOpen(user, path),
      mayToggle: mayControlSwitches(user),
      pages: links.map(({ page, path, label }) => ({ page, path, label: t(label) })),
      say: t
    })
  }, [typed, hits, user, t])
  const count = groups.reduce((sum, { items }) => sum + items.length, 0)
  const isLater = typed.trim() !== wanted
  const isWaiting = isLater || (isAsked && found.isFetching)
  const isUnanswered = isLater || (isAsked && (found.isPending || found.isPlaceholderData))
  if (isAsked && found.isError) return { groups, status: t('find.failed'), isUnanswered }
  const none = t(isWaiting ? 'common.loading' : isAsked ? 'find.none' : 'find.typeMore')
  return { groups, status: count > 0 ? '' : none, isUnanswered }
}
