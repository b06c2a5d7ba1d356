import type { UserRecord } from '@batti/contracts'
import { BadgeCheck, CircleDashed } from 'lucide-react'
import type { ReactNode } from 'react'
import { useIntl } from 'react-intl'
import { Card } from '#web/ui/card.tsx'
import { Name } from '#web/ui/name.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { cn } from '#web/lib/cn.ts'
import { UserPicture } from './user-picture.tsx'

/** Uses a word and an icon, so that colour is not the only sign. */
function VerifiedTag({ isVerified }: { isVerified: boolean }) {
  const t = useText()
  const Icon = isVerified ? BadgeCheck : CircleDashed
  return (
    <span
      className={cn(
        'inline-flex items-center gap-1.5 rounded-full border border-line px-2.5 py-0.5 text-12 font-medium',
        isVerified ? 'text-ok' : 'text-warn'
      )}
    >
      <Icon aria-hidden="true" size={14} />
      {t(isVerified ? 'profile.verified' : 'profile.unverified')}
    </span>
  )
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid gap-1 border-t border-line py-3.5 sm:grid-cols-[11rem_1fr] sm:items-center sm:gap-4">
      <dt className="text-14 text-ink-3">{label}</dt>
      <dd className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 wrap-anywhere">{children}</dd>
    </div>
  )
}

/** A summary of the account. */
export function ProfileOverview({ account }: { account: UserRecord }) {
  const t = useText()
  const intl = useIntl()
  const phone = account.phone === null || account.phone === '' ? null : account.phone
  return (
    <Card className="px-5 pt-6 pb-2 sm:px-7">
      <header className="flex flex-col items-center gap-4 pb-6 text-center sm:flex-row sm:gap-5 sm:text-left">
        <UserPicture url={account.profileImage?.url ?? null} alt={t('profile.picture', { name: account.name })} />
        <div className="min-w-0">
          <h2 className="text-20 font-semibold">
            <Name>{account.name}</Name>
          </h2>
          <p className="text-ink-2 wrap-anywhere">{account.email}</p>
        </div>
      </header>
      <dl>
        <Row label={t('profile.userId')}>
          <code className="font-mono text-14">{account._id}</code>
        </Row>
        <Row label={t('profile.name')}>{account.name}</Row>
        <Row label={t('profile.email')}>
          {account.email}
          <VerifiedTag isVerified={account.emailVerification} />
        </Row>
        <Row label={t('profile.phone')}>
          {phone ?? t('profile.notProvided')}
          <VerifiedTag isVerified={account.phoneVerification} />
        </Row>
        {account.address !== undefined && account.address !== '' && (
          <Row label={t('profile.address')}>{account.address}</Row>
        )}
        <Row label={t('profile.role')}>{t(`profile.role.${account.role}`)}</Row>
        <Row label={t('profile.created')}>
          <time dateTime={account.createdAt}>{intl.formatDate(account.createdAt, { dateStyle: 'long' })}</time>
        </Row>
      </dl>
    </Card>
  )
}
