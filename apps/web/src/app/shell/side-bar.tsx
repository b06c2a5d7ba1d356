import { useEffect, useRef } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { roleHome } from '#web/app/routing/role-home.ts'
import { useTotals } from '#web/lib/records/use-totals.ts'
import { useServices } from '#web/lib/services.ts'
import type { SessionUser } from '#web/lib/session/session-user.ts'
import { BrandMark } from './brand-mark.tsx'
import { PageLinks } from './page-links.tsx'

/**
 * Links to every page, from 1024 px on; the quick navigation is docked at its bottom. It scrolls the current page's link into
 * view by itself, because `scrollIntoView` would also scroll the page.
 */
export function SideBar({ user }: { user: SessionUser }) {
  const { brand } = useServices()
  const isStaff = user.role !== 'user'
  const { pathname } = useLocation()
  const bar = useRef<HTMLElement>(null)
  useEffect(() => {
    const link = bar.current?.querySelector('[aria-current=page]')
    if (!bar.current || !link) return
    const free = bar.current.clientHeight - parseFloat(getComputedStyle(bar.current).paddingBottom)
    const hidden = link.getBoundingClientRect().bottom - bar.current.getBoundingClientRect().top - free
    if (hidden > 0) bar.current.scrollTop += hidden
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another link is the current one then
  }, [pathname])
  return (
    <aside
      ref={bar}
      aria-label={brand.name}
      className="sticky top-0 z-20 flex h-dvh w-56 shrink-0 flex-col gap-3 scroll-pb-20 overflow-y-auto px-3 pt-4 pb-20 print:hidden"
    >
      <Link
        to={roleHome(user.role)}
        className="flex min-h-11 items-center gap-2.5 rounded-control px-2 text-16 font-semibold tracking-tight"
      >
        <BrandMark brand={brand} />
        {brand.name}
      </Link>
      {isStaff ? <StaffLinks user={user} /> : <PageLinks user={user} look="bar" />}
    </aside>
  )
}

function StaffLinks({ user }: { user: SessionUser }) {
  return <PageLinks user={user} look="bar" totals={useTotals()} />
}
