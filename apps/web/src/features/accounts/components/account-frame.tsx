import type { ReactNode } from 'react'
import { usePageTitle } from '#web/lib/use-page-title.ts'

/** The narrow page of login, sign-up and similar forms: a lamp above a card. */
export function AccountFrame({
  title,
  subtitle,
  children,
  below
}: {
  title: string
  subtitle?: ReactNode
  children: ReactNode
  below?: ReactNode
}) {
  usePageTitle(title)
  return (
    <div className="relative mx-auto grid w-full max-w-115 grid-cols-1 gap-6 px-4 py-10 sm:py-16">
      <div
        aria-hidden="true"
        className="pointer-events-none absolute inset-x-0 -top-24 -z-10 mx-auto h-80 max-w-100 bg-[radial-gradient(closest-side,var(--on-soft),transparent)]"
      />
      <header className="grid gap-1.5 text-center">
        <h1 className="text-28 font-semibold">{title}</h1>
        {subtitle !== undefined && <p className="wrap-anywhere text-ink-2">{subtitle}</p>}
      </header>
      <div className="rounded-[28px] border border-line bg-card p-5 shadow-card sm:p-7">{children}</div>
      {below !== undefined && <p className="text-center text-ink-2">{below}</p>}
    </div>
  )
}
