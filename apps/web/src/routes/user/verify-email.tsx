import type { UserRecord } from '@batti/contracts'
import { useCallback, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { LinkButton } from '#web/ui/link-button.tsx'
import { useAccount } from '#web/features/accounts/api/get-account.ts'
import { AccountFrame } from '#web/features/accounts/components/account-frame.tsx'
import { VerifyContactPanel } from '#web/features/accounts/components/verify-contact-panel.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useIsShown } from '#web/lib/use-is-shown.ts'

/** /user/verify-email: the two steps of the profile's dialog as a page, to which an e-mail or a notice can link. */
export function Screen() {
  const t = useText()
  const { data: account } = useAccount()
  return (
    <AccountFrame title={t('profile.verifyEmail')}>
      {account === undefined ? (
        <output className="block text-ink-2">{t('profile.loading')}</output>
      ) : (
        <Steps account={account} />
      )}
    </AccountFrame>
  )
}

function Steps({ account }: { account: UserRecord }) {
  const t = useText()
  const navigate = useNavigate()
  const isShown = useIsShown()
  const { refetch } = useAccount()
  const [isNeeded] = useState(!account.emailVerification)
  const finish = useCallback(() => {
    void refetch().then(() => isShown.current && navigate('/user/profile', { replace: true }))
  }, [refetch, navigate, isShown])
  if (isNeeded) return <VerifyContactPanel contact="email" account={account} onVerified={finish} />
  return (
    <div className="grid gap-4 text-center">
      <p className="text-ink-2">{t('contact.already')}</p>
      <LinkButton to="/user/profile" width="full">
        {t('contact.toProfile')}
      </LinkButton>
    </div>
  )
}
