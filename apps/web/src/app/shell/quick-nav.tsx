import { ChartNoAxesColumn, Cpu, Ellipsis, GripVertical, House, Settings } from 'lucide-react'
import { useRef, useState, type CSSProperties, type KeyboardEvent, type PointerEvent } from 'react'
import { NavLink, useLocation } from 'react-router-dom'
import { cn } from '#web/lib/cn.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useUser } from '#web/lib/services.ts'
import { createPart, usePart } from '#web/lib/use-part.ts'
import { linksTo } from './nav-links.ts'
import { usePillPlace } from './use-pill-place.ts'

const items = [
  { page: 'home', label: 'shell.home', icon: House },
  { page: 'dashboard', label: 'shell.dashboard', icon: ChartNoAxesColumn },
  { page: 'devices', label: 'shell.devices', icon: Cpu },
  { page: 'profile', label: 'shell.settings', icon: Settings }
] as const

// Loaded when it is opened, as no page needs it.
const moreSheet = createPart(async () => (await import('./more-sheet.tsx')).MoreSheet)

const itemClass =
  'grid min-h-14 place-content-center justify-items-center gap-0.5 rounded-[20px] text-[max(12px,min(0.75rem,3.2vw))] font-medium transition-colors duration-160 sm:flex sm:min-h-11 sm:items-center sm:justify-center sm:gap-2 sm:rounded-full sm:px-4 sm:text-14'

/** Home, Dashboard, Devices, Settings: a bar at the bottom of phones, a pill that can be moved on larger screens. */
export function QuickNav() {
  const t = useText()
  const user = useUser()
  const { pathname } = useLocation()
  const nav = useRef<HTMLElement>(null)
  const [more, setMore] = useState<'never' | 'open' | 'closed'>('never')
  const sheet = usePart(moreSheet, more !== 'never', () => setMore('never'))
  const { place, isMoved, move, moveByKey, settle } = usePillPlace(nav)
  const grip = useRef<{ dx: number; dy: number } | null>(null)
  if (user === null) return null
  // Docked at the bottom of the side bar until somebody drags it away.
  const isDocked = !isMoved
  const links = linksTo(user, items)
  // On a page without an entry in the bar, "More" is marked as the current one.
  const isElsewhere = !links.some(({ path }) => pathname === path || pathname.startsWith(`${path}/`))

  const onPointerDown = (event: PointerEvent) => {
    const box = nav.current?.getBoundingClientRect()
    if (!box) return
    event.currentTarget.setPointerCapture(event.pointerId)
    grip.current = { dx: event.clientX - (box.left + box.width / 2), dy: event.clientY - (box.top + box.height / 2) }
  }
  const onPointerMove = (event: PointerEvent) => {
    if (grip.current) move({ x: event.clientX - grip.current.dx, y: event.clientY - grip.current.dy })
  }
  const onPointerUp = () => {
    grip.current = null
    settle()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (moveByKey(event.key)) event.preventDefault()
  }
  const style: CSSProperties & Record<`--${string}`, string> = {
    '--pill-x': `${place.x * 100}%`,
    '--pill-y': `${place.y * 100}%`
  }

  return (
    <nav
      ref={nav}
      data-quick-nav
      aria-label={t('shell.quickNav')}
      style={style}
      className={cn(
        'fixed inset-x-3 bottom-[max(0.75rem,env(safe-area-inset-bottom))] z-30 flex items-center rounded-3xl border border-line bg-raised/90 p-1 shadow-float backdrop-blur-xl print:hidden max-sm:low:static max-sm:low:mx-3 max-sm:low:mb-3 sm:inset-auto sm:top-[min(var(--pill-y),calc(100%-env(safe-area-inset-bottom)-1.94rem))] sm:left-(--pill-x) sm:-translate-1/2 sm:rounded-full',
        isDocked && 'lg:top-auto lg:bottom-3 lg:left-3 lg:w-50 lg:translate-none'
      )}
    >
      <ul className="grid flex-1 auto-cols-[1fr] grid-flow-col gap-x-1 sm:flex sm:gap-0">
        {links.map(({ path, label, icon: Icon }) => (
          <li key={path} className={cn(isDocked && 'lg:flex-1')}>
            <NavLink
              to={path}
              {...(isDocked && { title: t(label) })}
              className={({ isActive }) =>
                cn(itemClass, isDocked && 'lg:px-0', isActive ? 'bg-well text-ink' : 'text-ink-3 hover:text-ink')
              }
            >
              <Icon aria-hidden="true" size={20} />
              <span className={cn(isDocked && 'lg:sr-only')}>{t(label)}</span>
            </NavLink>
          </li>
        ))}
        <li className="sm:hidden">
          <button
            type="button"
            aria-haspopup="dialog"
            onClick={() => setMore('open')}
            className={cn(itemClass, 'w-full', isElsewhere ? 'bg-well text-ink' : 'text-ink-3')}
          >
            <Ellipsis aria-hidden="true" size={20} />
            {t('shell.more')}
          </button>
          {sheet?.({ user, isOpen: more === 'open', onClose: () => setMore('closed') })}
        </li>
      </ul>
      <button
        type="button"
        aria-label={t('shell.quickNavMove')}
        title={t('shell.quickNavMove')}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={onPointerUp}
        onKeyDown={onKeyDown}
        className="hidden size-11 cursor-grab touch-none place-items-center rounded-full text-ink-3 hover:text-ink active:cursor-grabbing sm:grid"
      >
        <GripVertical size={18} />
      </button>
    </nav>
  )
}
