import { Navigate, useLocation, useNavigate, useSearchParams } from 'react-router-dom'
import { TextLink } from '#web/ui/link-button.tsx'
import { AccountFrame } from '#web/features/accounts/components/account-frame.tsx'
import { LoginForm } from '#web/features/accounts/components/login-form.tsx'
import { pathWanted } from '#web/features/accounts/next-page.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useServices, useUser } from '#web/lib/services.ts'
import { roleHome } from '#web/app/routing/role-home.ts'
import { loadAhead } from '#web/app/routing/router.tsx'
import { isOfOthers, wayBackOf } from '#web/routes/parts/way-back-of.ts'
import type { SessionUser } from '#web/lib/session/session-user.ts'

/**
 * /user/login and /login. A signed-in person is redirected to the page that a link asked for, back to the page of the
 * ended session, or to their home. Sent here from a page of another role, they read why, and may log in with another
 * account.
 */
export function Screen() {
  const t = useText()
  const navigate = useNavigate()
  const services = useServices()
  const { session } = services
  const user = useUser()
  const [query] = useSearchParams()
  const location = useLocation()
  const pathFor = (somebody: SessionUser) =>
    pathWanted(query, somebody.role) ?? wayBackOf(location.state, somebody) ?? roleHome(somebody.role)
  const isRefused = user !== null && isOfOthers(location.state) && wayBackOf(location.state, user) === null
  if (user !== null && !isRefused) return <Navigate to={pathFor(user)} replace />

  const goOn = () => {
    const now = session.getState()
    if (now.kind === 'in') void navigate(pathFor(now.user), { replace: true })
  }
  const ending = session.lastEnding()
  const isEnded = ending === 'expired' || ending === 'account-changed'
  return (
    <AccountFrame
      title={t('login.title')}
      subtitle={
        isRefused ? (
          <>
            {t('login.ofOthers', { name: user.name || user.email })}{' '}
            <TextLink to={roleHome(user.role)}>{t('login.ownHome')}</TextLink>
          </>
        ) : (
          t(isEnded ? 'login.ended' : 'login.subtitle')
        )
      }
      below={
        <>
          {t('login.noAccount')} <TextLink to="/user/register">{t('login.signUp')}</TextLink>
        </>
      }
    >
      <LoginForm
        // The role is known only after the login; most people are users.
        onSend={() => loadAhead(services, roleHome('user'))}
        onSignedIn={goOn}
        forgot={
          <TextLink to="/user/forgot-password" className="inline-flex min-h-11 items-center justify-self-end text-14">
            {t('login.forgot')}
          </TextLink>
        }
      />
    </AccountFrame>
  )
}
