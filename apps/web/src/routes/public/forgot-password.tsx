import { useNavigate } from 'react-router-dom'
import { TextLink } from '#web/ui/link-button.tsx'
import { AccountFrame } from '#web/features/accounts/components/account-frame.tsx'
import { ForgotForm } from '#web/features/accounts/components/forgot-form.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { loginPath } from '#web/app/routing/role-home.ts'

/** /user/forgot-password */
export function Screen() {
  const t = useText()
  const navigate = useNavigate()
  return (
    <AccountFrame
      title={t('forgot.title')}
      subtitle={t('forgot.subtitle')}
      below={<TextLink to={loginPath}>{t('forgot.back')}</TextLink>}
    >
      <ForgotForm onSent={() => void navigate('/user/reset-password')} />
    </AccountFrame>
  )
}
