import type { Role } from '@batti/contracts'
import { Navigate, useNavigate, useSearchParams } from 'react-router-dom'
import { TextLink } from '#web/ui/link-button.tsx'
import { AccountFrame } from '#web/features/accounts/components/account-frame.tsx'
import { LoginForm } from '#web/features/accounts/components/login-form.tsx'
import { pathWanted } from '#web/features/accounts/next-page.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useServices, useUser } from '#web/lib/services.ts'
import { roleHome } from '#web/app/routing/role-home.ts'

/** /user/login and /login. Somebody who is signed in already goes on to their own home, or to what a link led to. */
export function Screen() {
  const t = useText()
  const navigate = useNavigate()
  const { session } = useServices()
  const user = useUser()
  const [query] = useSearchParams()
  const pathFor = (role: Role) => pathWanted(query, role) ?? roleHome(role)
  if (user !== null) return <Navigate to={pathFor(user.role)} replace />

  const goOn = () => {
    const state = session.getState()
    if (state.kind === 'in') void navigate(pathFor(state.user.role), { replace: true })
  }
  return (
    <AccountFrame
      title={t('login.title')}
      subtitle={t('login.subtitle')}
      below={
        <>
          {t('login.noAccount')} <TextLink to="/user/register">{t('login.signUp')}</TextLink>
        </>
      }
    >
      <LoginForm
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
