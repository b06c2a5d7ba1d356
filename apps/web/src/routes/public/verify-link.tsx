import { useCallback } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router-dom'
import { TextLink } from '#web/ui/link-button.tsx'
import { isLinkType } from '#web/features/accounts/api/verify-link.ts'
import { AccountFrame } from '#web/features/accounts/components/account-frame.tsx'
import { LinkFault, LinkVerification } from '#web/features/accounts/components/link-verification.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'

/** /verify/:type?token=: the target of links in e-mails and SMS messages. */
export function Screen() {
  const t = useText()
  const navigate = useNavigate()
  const { type } = useParams()
  const [params] = useSearchParams()
  const token = params.get('token') ?? ''
  const leave = useCallback(() => {
    const next = type === 'forgot-password' ? `/reset-password?token=${encodeURIComponent(token)}` : '/login'
    void navigate(next, { replace: true })
  }, [navigate, type, token])
  return (
    <AccountFrame title={t('link.title')} below={<TextLink to="/login">{t('forgot.back')}</TextLink>}>
      {!isLinkType(type) ? (
        <LinkFault text={t('link.unsupported')} />
      ) : token === '' ? (
        <LinkFault text={t('link.missing')} />
      ) : (
        <LinkVerification type={type} token={token} onVerified={leave} />
      )}
    </AccountFrame>
  )
}
