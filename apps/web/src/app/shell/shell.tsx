import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Outlet, useLocation } from 'react-router-dom'
import { cn } from '#web/lib/cn.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useMedia, wideScreen } from '#web/lib/use-media.ts'
import { useUser } from '#web/lib/services.ts'
import type { SessionUser } from '#web/lib/session/session-user.ts'
import { ErrorBoundary } from '#web/app/bootstrap/error-boundary.tsx'
import { SessionNavigation } from '#web/app/routing/session-navigation.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'

// Code for signed-in people is not part of a visitor's first page.
const SideBar = lazy(async () => ({ default: (await import('./side-bar.tsx')).SideBar }))
const SignedInFrame = lazy(async () => ({ default: (await import('./signed-in-frame.tsx')).SignedInFrame }))

/** Beside the side bar a staff page is one sheet. */
const staffSheet =
  'lg:my-3 lg:mr-3 lg:rounded-card lg:border lg:border-line lg:bg-card lg:shadow-card print:m-0 print:border-0'

/** The frame of every page: header, content, footer; the bars of a live page when somebody is signed in. */
export function Shell() {
  const t = useText()
  const user = useUser()
  const { pathname, key } = useLocation()
  const { turn, at } = useTurn(user, key)
  const isStaff = user !== null && user.role !== 'user'
  const isHome = user !== null && !isStaff
  // A hidden side bar would still fetch its totals, and a program would find its links first.
  const hasSideBar = useMedia(wideScreen)
  // A new page starts at its top, both the scroll position and the focus.
  const content = useRef<HTMLElement>(null)
  const lastPath = useRef(pathname)
  useEffect(() => {
    if (lastPath.current === pathname) return
    lastPath.current = pathname
    // Skipped when the page has moved the focus itself, as the log does to the row that says why.
    const focused = document.activeElement
    if (focused !== content.current && content.current?.contains(focused) === true) return
    window.scrollTo(0, 0)
    content.current?.focus({ preventScroll: true })
  }, [pathname])
  return (
    <div className="flex min-h-dvh flex-col print:min-h-0">
      <a
        href="#content"
        className="sr-only z-70 rounded-b-control bg-accent px-4 py-3 text-accent-ink focus:not-sr-only focus:fixed focus:left-4"
      >
        {t('shell.skip')}
      </a>
      <SessionNavigation />
      <div className="flex flex-1">
        {user !== null && hasSideBar && (
          <Suspense fallback={<div className="w-56 shrink-0" />}>
            <SideBar user={user} />
          </Suspense>
        )}
        <div
          className={cn('group/frame relative flex min-w-0 flex-1 flex-col', isStaff && staffSheet)}
          data-home={isHome || undefined}
        >
          <Header isStaff={isStaff} isHome={isHome} />
          <main ref={content} id="content" tabIndex={-1} className="min-h-dvh flex-1 outline-none print:min-h-0">
            <ErrorBoundary key={`${turn} ${pathname}`}>
              <Outlet context={at === key} />
            </ErrorBoundary>
          </main>
          <Footer hasQuickNav={user !== null} />
        </div>
      </div>
      {user !== null && (
        <Suspense>
          <SignedInFrame />
        </Suspense>
      )}
    </div>
  )
}

/**
 * Counts changes of person without a logout between them. What the former person typed must not reach the next one, who
 * did not ask for the open page either; `at` is the key of that page.
 */
function useTurn(user: SessionUser | null, key: string): { turn: number; at: string | null } {
  const id = user?._id ?? null
  const [last, setLast] = useState<{ id: string | null; turn: number; at: string | null }>({ id, turn: 0, at: null })
  if (id !== last.id) {
    const isFollower = id !== null && last.id !== null
    setLast({ id, turn: last.turn + Number(isFollower), at: isFollower ? key : null })
  }
  return last
}
