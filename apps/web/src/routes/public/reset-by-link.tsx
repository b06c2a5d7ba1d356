import { useNavigate, useSearchParams } from 'react-router-dom'
import { TextLink } from '#web/ui/link-button.tsx'
import { AccountFrame } from '#web/features/accounts/components/account-frame.tsx'
import { LinkFault } from '#web/features/accounts/components/link-verification.tsx'
import { ResetForm } from '#web/features/accounts/components/reset-form.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { forgotPath, loginPath } from '#web/app/routing/role-home.ts'

/** /reset-password?token=: sets a new password by the link of an e-mail or an invitation. */
export function Screen() {
  const t = useText()
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const token = params.get('token') ?? ''
  if (token === '') {
    return (
      <AccountFrame title={t('reset.title')} below={<TextLink to={forgotPath}>{t('link.askAgain')}</TextLink>}>
        <LinkFault text={t('link.missing')} />
      </AccountFrame>
    )
  }
  return (
    <AccountFrame title={t('reset.title')} subtitle={t('reset.linkSubtitle')}>
      <ResetForm
        from={{ by: 'link', token }}
        onReset={() => void navigate(loginPath, { replace: true })}
        onRefused={() => void navigate(forgotPath, { replace: true })}
      />
    </AccountFrame>
  )
}
