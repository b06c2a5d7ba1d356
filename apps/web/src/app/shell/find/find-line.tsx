import { ArrowUpRight, CircleArrowUp, Copy, Phone, ToggleRight, UserRound, type LucideIcon } from 'lucide-react'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import { pageIcons } from '#web/app/shell/page-icons.ts'
import { cn } from '#web/lib/cn.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { markedParts, type FindItem } from './find-groups.ts'

/** One search result; the typed text is underlined in it. */
export function FindLine({ item, typed }: { item: FindItem; typed: string }) {
  const t = useText()
  return (
    <>
      <Sign item={item} />
      <span className="min-w-0 flex-1 truncate">
        <span className="font-medium">
          <Marked text={item.label} typed={item.kind === 'action' ? '' : typed} />
        </span>
        {item.more !== null && (
          <span className="text-ink-3">
            {' · '}
            <Marked text={item.more} typed={typed} />
          </span>
        )}
      </span>
      {item.isOnline !== undefined && (
        <VisuallyHidden>{t(item.isOnline ? 'find.online' : 'find.offline')}</VisuallyHidden>
      )}
      {item.code !== null && (
        <span className="shrink-0 font-mono text-12 text-ink-3">
          <Marked text={item.code} typed={typed} />
        </span>
      )}
    </>
  )
}

function Marked({ text, typed }: { text: string; typed: string }) {
  const [before, match, after] = markedParts(text, typed)
  if (match === '') return text
  return (
    <>
      {before}
      <mark className="bg-transparent text-inherit underline decoration-accent decoration-2 underline-offset-4">
        {match}
      </mark>
      {after}
    </>
  )
}

function Sign({ item }: { item: FindItem }) {
  if (item.kind === 'board')
    return (
      <span aria-hidden="true" className="grid size-5 shrink-0 place-items-center">
        <span className={cn('size-2 rounded-full', item.isOnline ? 'bg-ok' : 'border-[1.5px] border-ink-3')} />
      </span>
    )
  return <IconSign icon={iconFor(item)} />
}

function IconSign({ icon: Icon }: { icon: LucideIcon }) {
  return <Icon aria-hidden="true" size={18} className="mx-px text-ink-3" />
}

function iconFor({ kind, page, does }: FindItem): LucideIcon {
  if (page !== undefined) return pageIcons[page]
  if (kind === 'person') return UserRound
  if ('toggle' in does) return ToggleRight
  if ('update' in does) return CircleArrowUp
  if ('copy' in does) return Copy
  if (does.go.startsWith('tel:')) return Phone
  return ArrowUpRight
}
