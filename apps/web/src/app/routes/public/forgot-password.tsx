import { useNavigate } from 'react-router-dom'
import { TextLink } from '../../../components/ui/link-button.tsx'
import { AccountFrame } from '../../../features/accounts/components/account-frame.tsx'
import { ForgotForm } from '../../../features/accounts/components/forgot-form.tsx'
import { useText } from '../../../lib/i18n/use-text.ts'
import { loginPath } from '../../role-home.ts'

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
