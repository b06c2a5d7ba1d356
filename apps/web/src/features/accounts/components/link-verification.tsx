import { CircleAlert, CircleCheck } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { SpinnerRing } from '#web/ui/spinner-ring.tsx'
import { isUnanswered } from '#web/lib/api/after-write.ts'
import { errorMessage } from '#web/lib/api/api-error.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useServices, useUser } from '#web/lib/services.ts'
import { pathTo } from '#web/features/accounts/next-page.ts'
import { useVerifyLink, type LinkType } from '#web/features/accounts/api/verify-link.ts'

/** Long enough to read the success message. */
const redirectAfterMs = 3000

const doneTexts = { email: 'link.emailDone', phone: 'link.phoneDone', 'forgot-password': 'link.resetDone' } as const

/** Verifies the token of a link; `onVerified` is called after three seconds of a success message. */
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
  const user = useUser()
  const { isSuccess, isFetching, error, refetch } = useVerifyLink(type, token)
  useEffect(() => (isSuccess ? clock.after(redirectAfterMs, onVerified) : undefined), [isSuccess, clock, onVerified])

  if (error !== null && !isFetching) {
    const askAt =
      type === 'forgot-password' ? '/user/forgot-password' : pathTo(`verify-${type}`, user === null ? null : user.role)
    const mayWork = isUnanswered(error)
    return (
      <LinkFault text={errorMessage(error, t('link.failed')) ?? t('link.failed')}>
        {mayWork && <Button onClick={() => void refetch()}>{t('common.tryAgain')}</Button>}
        <LinkButton to={askAt} variant={mayWork ? 'quiet' : 'primary'}>
          {t(type === 'phone' ? 'link.newCode' : 'link.newLink')}
        </LinkButton>
      </LinkFault>
    )
  }
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

/** Explains why a link does not work, and what to do. */
export function LinkFault({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div role="alert" className="grid justify-items-center gap-3 text-center">
      <CircleAlert aria-hidden="true" size={48} strokeWidth={1.5} className="text-danger" />
      <p className="text-20 font-semibold">{text}</p>
      {children}
    </div>
  )
}
