import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { TextLink } from '#web/ui/link-button.tsx'
import { AccountFrame } from '#web/features/accounts/components/account-frame.tsx'
import { ResetForm } from '#web/features/accounts/components/reset-form.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { notify } from '#web/lib/notify.ts'
import { useServices } from '#web/lib/services.ts'
import { forgotPath, loginPath } from '#web/app/routing/role-home.ts'

const faults = { missing: 'reset.noRequest', invalid: 'reset.badRequest' } as const

/** /user/reset-password: needs the stored request; without one it shows an alert and leads back. */
export function Screen() {
  const t = useText()
  const navigate = useNavigate()
  const { pending } = useServices()
  // Read once, because a success removes the request before the login page is shown.
  const [request] = useState(pending.forgotPassword)
  const fault = typeof request === 'string' ? faults[request] : null
  useEffect(() => {
    if (fault === null) return
    notify.error(t(fault), 'reset')
    void navigate(forgotPath, { replace: true })
  }, [fault, navigate, t])
  if (typeof request === 'string') return null
  return (
    <AccountFrame
      title={t('reset.title')}
      subtitle={t('reset.sentTo', { address: request.value })}
      below={<TextLink to={forgotPath}>{t('reset.again')}</TextLink>}
    >
      <ResetForm
        from={{ by: 'code', request }}
        onReset={() => void navigate(loginPath, { replace: true })}
        onRefused={() => void navigate(forgotPath, { replace: true })}
      />
    </AccountFrame>
  )
}
