import type { ReactNode } from 'react'
import { cn } from '#web/lib/cn.ts'
import { usePageTitle } from '#web/lib/use-page-title.ts'
import { Name } from './name.tsx'

/** The common edges of every page of a home. */
export const frameClass =
  'mx-auto w-full max-w-300 px-4 py-6 max-sm:group-data-home/frame:pt-3 sm:px-6 sm:py-8 lg:group-data-home/frame:px-8'

/** A page's title. On a phone with large letters it is limited so that the longest word fits beside the menu. */
export const titleClass = 'text-28 text-[min(1.75rem,11vw)] font-semibold'

/** Leaves space at the end of a page's header for the profile menu, which is there on a phone and beside the side bar. */
export const besideMenuClass = 'max-sm:group-data-home/frame:pr-13 lg:group-data-home/frame:pr-50'

/** The frame of a screen: the content width, its title and its actions. */
export function Page({
  title,
  aside,
  actions,
  children
}: {
  title: string
  /** A count beside the title. */
  aside?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  usePageTitle(title)
  return (
    <div className={frameClass}>
      {/* Actions wrap below a title whose longest word does not fit beside them; on a phone, beside the menu, below one
          that would wrap. */}
      <header className={cn('mb-5 flex min-h-11 flex-wrap items-center gap-x-3 gap-y-2', besideMenuClass)}>
        <div className="flex min-w-min flex-1 basis-0 flex-wrap items-baseline gap-x-3 max-sm:group-data-home/frame:basis-auto">
          <h1 className={titleClass}>{title}</h1>
          {aside !== undefined && <span className="text-14 text-ink-3">{aside}</span>}
        </div>
        {actions !== undefined && (
          <div className="ml-auto flex flex-wrap gap-2 max-sm:group-data-home/frame:ml-0 print:hidden">{actions}</div>
        )}
      </header>
      {children}
    </div>
  )
}

/** A part of a page with its own heading. */
export function Section({
  title,
  action,
  children,
  className
}: {
  title: string
  action?: ReactNode
  children: ReactNode
  className?: string
}) {
  return (
    <section aria-label={title} className={className}>
      <div className="mb-1.5 flex min-h-8 flex-wrap items-center gap-x-3 sm:mb-3">
        {/* With large letters the action wraps below, before a word of the title would be broken. */}
        <h2 className="min-w-0 flex-1 basis-[6rem] text-16 font-semibold">
          <Name>{title}</Name>
        </h2>
        {action}
      </div>
      {children}
    </section>
  )
}

/** A link in a section's heading: its text is aligned with the page's edge, its touch target extends around it. */
export const moreLinkClass =
  '-mr-2 inline-flex min-h-11 items-center rounded-control px-2 text-14 font-medium text-accent underline-offset-4 hover:underline'

/** The surface of a part of a page. */
export const panelClass = 'rounded-card border border-line bg-card p-4 shadow-card sm:p-5'
