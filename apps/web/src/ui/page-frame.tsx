import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { cn } from '#web/lib/cn.ts'
import { usePageTitle } from '#web/lib/use-page-title.ts'
import { Name } from './name.tsx'

export interface PageFrameProps {
  title: string
  /** The list that contains the record: "Devices" and its path. */
  parent?: { label: string; path: string }
  /** Beside the title: a count, a state. */
  aside?: ReactNode
  actions?: ReactNode
  children: ReactNode
  className?: string
}

/** A staff page: one sheet without cards; tables and strips of numbers extend to its edges. */
export function PageFrame({ title, parent, aside, actions, children, className }: PageFrameProps) {
  usePageTitle(title)
  return (
    <div className={cn('mx-auto w-full max-w-360 min-w-0 py-4 sm:py-5', className)}>
      <header className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-2 px-4 pb-3 sm:px-6">
        {/* On a phone the actions wrap below a title that does not fit beside them on one line, or that is a record's name. */}
        <div
          className={cn(
            'flex flex-1 flex-wrap items-baseline gap-x-3',
            parent === undefined ? 'min-w-min basis-0 max-sm:basis-auto' : 'min-w-0 basis-[min(100%,18rem)]'
          )}
        >
          {parent !== undefined && (
            <Link
              to={parent.path}
              className="-my-2 inline-flex min-h-11 items-center text-14 text-ink-2 underline-offset-4 hover:underline"
            >
              {parent.label}
            </Link>
          )}
          {parent !== undefined && (
            <span aria-hidden="true" className="text-ink-3">
              /
            </span>
          )}
          <h1 className="text-20 font-semibold">{parent === undefined ? title : <Name>{title}</Name>}</h1>
          {aside !== undefined && <span className="text-14 text-ink-3 tabular-nums">{aside}</span>}
        </div>
        {actions !== undefined && <div className="ml-auto flex flex-wrap gap-2 print:hidden">{actions}</div>}
      </header>
      {children}
    </div>
  )
}
