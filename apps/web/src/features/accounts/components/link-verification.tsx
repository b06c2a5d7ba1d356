import { CircleAlert, CircleCheck } from 'lucide-react'
import { useEffect } from 'react'
import { SpinnerRing } from '#web/ui/spinner-ring.tsx'
import { errorMessage } from '#web/lib/api/api-error.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useServices } from '#web/lib/services.ts'
import { useVerifyLink, type LinkType } from '#web/features/accounts/api/verify-link.ts'

/** accounts §9: after the landing page. */
const redirectAfterMs = 3000

const doneTexts = { email: 'link.emailDone', phone: 'link.phoneDone', 'forgot-password': 'link.resetDone' } as const

/** Checks the token of a link; `onVerified` follows three seconds of good news. */
export function LinkVerification({
  type,
  token,
  onVerified
}: {
  type: LinkType
  token: string
  onVerified: () => void
}) {
  const t = useText()
  const { clock } = useServices()
  const { isSuccess, error } = useVerifyLink(type, token)
  useEffect(() => (isSuccess ? clock.after(redirectAfterMs, onVerified) : undefined), [isSuccess, clock, onVerified])

  if (error !== null) return <LinkFault text={errorMessage(error, t('link.failed')) ?? t('link.failed')} />
  return (
    <output className="grid justify-items-center gap-3 text-center">
      {isSuccess ? (
        <>
          <CircleCheck aria-hidden="true" size={48} strokeWidth={1.5} className="text-ok" />
          <p className="text-20 font-semibold">{t(doneTexts[type])}</p>
          <p className="text-ink-2">{t(type === 'forgot-password' ? 'link.toReset' : 'link.toLogin')}</p>
        </>
      ) : (
        <>
          <SpinnerRing className="size-12 text-accent" />
          <p className="text-20 font-semibold">{t('link.verifying')}</p>
        </>
      )}
    </output>
  )
}

/** Why a link does not work. */
export function LinkFault({ text }: { text: string }) {
  return (
    <div role="alert" className="grid justify-items-center gap-3 text-center">
      <CircleAlert aria-hidden="true" size={48} strokeWidth={1.5} className="text-danger" />
      <p className="text-20 font-semibold">{text}</p>
    </div>
  )
}
