import type { ReactNode } from 'react'
import { cn } from '#web/lib/cn.ts'

export interface Fact {
  label: string
  value: ReactNode
  /** A MAC or a hash, which people compare character by character. */
  isCode?: boolean
}

/** A list of names and values. */
export function DetailFacts({ facts, className }: { facts: readonly Fact[]; className?: string }) {
  return (
    <dl
      className={cn('grid grid-cols-[minmax(min(7rem,40%),auto)_minmax(50%,1fr)] gap-x-5 gap-y-2.5 text-14', className)}
    >
      {facts.map(({ label, value, isCode = false }) => (
        <div key={label} className="contents">
          <dt className="text-ink-3">{label}</dt>
          <dd className={cn('min-w-0 break-words', isCode && 'font-mono text-12 leading-[1.6]')}>
            {value === '' || value === null || value === undefined ? '–' : value}
          </dd>
        </div>
      ))}
    </dl>
  )
}
