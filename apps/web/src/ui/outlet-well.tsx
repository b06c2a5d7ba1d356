import type { OutletKind } from '@batti/contracts'
import { Fan, LampDesk, Lightbulb, Plug, type LucideIcon } from 'lucide-react'
import { cn } from '#web/lib/cn.ts'
import { isLit, isUnknown, type OutletView } from '#web/lib/live/outlet-view.ts'

/** The icon of each kind, and its animation while it is lit. */
const looks: Record<OutletKind, { Icon: LucideIcon; lit?: string }> = {
  switch: { Icon: Lightbulb },
  fan: { Icon: Fan, lit: 'animate-spin [animation-duration:2.4s]' },
  socket: { Icon: Plug },
  dimmer: { Icon: LampDesk }
}
const sizes = { small: 'size-10', large: 'size-12' }

/**
 * A round icon of an outlet: filled and glowing when on, with a rotating ring while a command is pending, and a ring
 * that closes once when the board confirmed.
 */
export function OutletWell({
  kind,
  view,
  size = 'small'
}: {
  kind: OutletKind
  view: OutletView
  size?: 'small' | 'large'
}) {
  const { Icon, lit: litClass } = looks[kind]
  const lit = isLit(view)
  return (
    <span
      aria-hidden="true"
      className={cn(
        'relative grid shrink-0 place-items-center rounded-full transition-[background-color,color,box-shadow,opacity] duration-160',
        sizes[size],
        lit ? 'bg-on text-on-ink shadow-[0_0_26px_-6px_var(--on)]' : 'bg-well text-ink-2',
        view.phase === 'pending' && 'opacity-70',
        isUnknown(view) && 'text-ink-3'
      )}
    >
      <Icon size={size === 'large' ? 24 : 20} strokeWidth={1.8} className={cn(lit && litClass)} />
      {view.phase === 'pending' && (
        <svg viewBox="0 0 48 48" className="absolute -inset-1.5 animate-travel text-on-edge">
          <circle cx="24" cy="24" r="22.5" fill="none" stroke="currentColor" strokeWidth="2" opacity="0.2" />
          <circle
            cx="24"
            cy="24"
            r="22.5"
            fill="none"
            stroke="currentColor"
            strokeWidth="2.5"
            strokeLinecap="round"
            strokeDasharray="46 96"
          />
        </svg>
      )}
      {view.phase === 'confirmed' && (
        <span
          key={view.request}
          className="absolute -inset-1 animate-ring-close rounded-full border-2 border-on-edge"
        />
      )}
    </span>
  )
}
