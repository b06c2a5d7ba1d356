import { useEffect, useLayoutEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { AccountFrame } from '#web/features/accounts/components/account-frame.tsx'
import { LoginForm } from '#web/features/accounts/components/login-form.tsx'
import { Button } from '#web/ui/button.tsx'
import { useBackCloses } from '#web/ui/overlays/use-back-closes.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useServices } from '#web/lib/services.ts'
import { useTexts } from '#web/lib/i18n/use-texts.ts'
import type { SessionUser } from '#web/lib/session/session-user.ts'

/** The login over a page whose session ended while it had unsaved input: the page stays mounted, but hidden. */
export function LogInAgain({ user }: { user: SessionUser }) {
  const t = useText()
  const { session } = useServices()
  const hasTexts = useTexts('accounts')
  const [cover] = useState(() => document.createElement('div'))
  const [pageTitle] = useState(() => document.title)
  useLayoutEffect(() => hidePage(document, cover), [cover])
  // The browser's Back must not reach a dialog below, which would ask whether to close.
  useBackCloses(true, () => {})
  return createPortal(
    <main className="fixed inset-0 z-50 overflow-y-auto bg-page">
      {hasTexts && (
        <AccountFrame
          title={t('login.title')}
          subtitle={t('login.typedIsKept', { name: user.name || user.email })}
          below={
            <Button variant="ghost" onClick={() => session.end('logout')}>
              {t('login.dropTyped')}
            </Button>
          }
        >
          <LoginForm onSignedIn={() => {}} />
        </AccountFrame>
      )}
      <TitleAfter title={pageTitle} />
    </main>,
    cover
  )
}

/** Restores the tab's title after all other titles were unmounted. */
function TitleAfter({ title }: { title: string }) {
  useEffect(
    () => () => {
      document.title = title
    },
    [title]
  )
  return null
}

/**
 * Hides everything but `cover` from sight, screen readers and the keyboard, and keeps the scroll position. Returns the
 * undo function.
 */
function hidePage(page: Document, cover: HTMLElement): () => void {
  const focused = page.activeElement
  const others = [...page.body.children].filter((element) => element instanceof HTMLElement)
  const before = others.map(({ style }) => style.visibility)
  for (const { style } of others) style.visibility = 'hidden'
  page.body.append(cover)
  // `autoFocus` came before the form was in the page.
  cover.querySelector('input')?.focus()
  // Keys pressed here must not reach the page, where Escape closes dialogs and letters open the search.
  const keep = (event: Event) => event.stopPropagation()
  const keepUnaimed = (event: Event) => event.target === page.body && event.stopImmediatePropagation()
  cover.addEventListener('keydown', keep)
  page.defaultView?.addEventListener('keydown', keepUnaimed, true)
  return () => {
    page.defaultView?.removeEventListener('keydown', keepUnaimed, true)
    cover.remove()
    for (const [index, { style }] of others.entries()) style.visibility = before[index] ?? ''
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  }
}
