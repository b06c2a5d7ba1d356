import type { ReactNode } from 'react'
import { cn } from '#web/lib/cn.ts'

/** A toggle button in a row of choices, such as filters. */
export function Chip({ isOn, onClick, children }: { isOn: boolean; onClick: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onClick}
      className={cn(
        'inline-flex min-h-11 items-center gap-2 rounded-full border px-4 text-14 font-medium whitespace-nowrap transition-colors duration-160',
        isOn ? 'border-transparent bg-ink text-page' : 'border-edge text-ink-2 hover:bg-well hover:text-ink'
      )}
    >
      {children}
    </button>
  )
}
