import { useNavigate } from 'react-router-dom'
import { TextLink } from '#web/ui/link-button.tsx'
import { AccountFrame } from '#web/features/accounts/components/account-frame.tsx'
import { RegisterForm } from '#web/features/accounts/components/register-form.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'

/** /user/register */
export function Screen() {
  const t = useText()
  const navigate = useNavigate()
  return (
    <AccountFrame
      title={t('register.title')}
      subtitle={t('register.subtitle')}
      below={
        <>
          {t('register.haveAccount')} <TextLink to="/user/login">{t('register.login')}</TextLink>
        </>
      }
    >
      <RegisterForm onRegistered={() => void navigate('/user/verify-registration')} />
    </AccountFrame>
  )
}
