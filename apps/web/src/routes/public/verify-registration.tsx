import { CircleCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { LinkButton, TextLink } from '#web/ui/link-button.tsx'
import { AccountFrame } from '#web/features/accounts/components/account-frame.tsx'
import { VerifyForm } from '#web/features/accounts/components/verify-form.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useServices } from '#web/lib/services.ts'
import { loginPath } from '#web/app/routing/role-home.ts'

const redirectAfterS = 10

/** /user/verify-registration: asks for the code, shows the success for ten seconds, then opens the login. */
export function Screen() {
  const t = useText()
  const [isVerified, setVerified] = useState(false)
  if (isVerified) return <Verified />
  return (
    <AccountFrame
      title={t('verify.title')}
      subtitle={t('verify.subtitle')}
      below={
        <>
          <TextLink to="/user/register">{t('verify.again')}</TextLink>
          {/* The code may have been taken already by a try whose answer was lost. */}
          <span className="block pt-2">
            {t('register.haveAccount')} <TextLink to={loginPath}>{t('register.login')}</TextLink>
          </span>
        </>
      }
    >
      <VerifyForm onVerified={() => setVerified(true)} />
    </AccountFrame>
  )
}

function Verified() {
  const t = useText()
  const navigate = useNavigate()
  const { clock } = useServices()
  const [seconds, setSeconds] = useState(redirectAfterS)
  useEffect(() => {
    if (seconds === 0) void navigate(loginPath, { replace: true })
    return seconds === 0 ? undefined : clock.after(1000, () => setSeconds(seconds - 1))
  }, [seconds, clock, navigate])
  return (
    <AccountFrame title={t('verify.success')}>
      <output className="grid justify-items-center gap-4 text-center">
        <CircleCheck aria-hidden="true" size={48} strokeWidth={1.5} className="text-ok" />
        <p aria-live="off" className="text-ink-2">
          {t('verify.redirect', { seconds })}
        </p>
        <LinkButton to={loginPath} replace width="full">
          {t('verify.loginNow')}
        </LinkButton>
      </output>
    </AccountFrame>
  )
}
