import { monitorPermissions, type UserListRecord } from '@batti/contracts'
import { DetailFacts } from '#web/ui/detail-facts.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'

const permissionsOf = ({ permissions = [] }: UserListRecord) =>
  monitorPermissions.filter((name) => permissions.includes(name))

/** An address may contain `?` and `&`, which would add receivers to the mail (RFC 6068 §2). */
const mailTo = (email: string) => `mailto:${encodeURIComponent(email).replace('%40', '@')}`

/** The person and their contact details. */
export function UserFacts({ user }: { user: UserListRecord }) {
  const t = useText()
  const confirmed = (is: boolean) => t(is ? 'users.verified' : 'users.notVerified')
  const linkClass = 'text-accent underline underline-offset-4'
  return (
    <section aria-label={t('userPage.account')}>
      <h2 className="min-h-11 border-b border-line text-16 leading-11 font-semibold">{t('userPage.account')}</h2>
      <DetailFacts
        className="py-3"
        facts={[
          { label: t('users.role'), value: t(`users.role.${user.role}`) },
          {
            label: t('users.phone'),
            value: user.phone !== null && (
              <>
                <a href={`tel:${user.phone}`} className={linkClass}>
                  {user.phone}
                </a>{' '}
                <span className="text-ink-3">({confirmed(user.phoneVerification)})</span>
              </>
            )
          },
          {
            label: t('users.email'),
            value: (
              <>
                <a href={mailTo(user.email)} className={linkClass}>
                  {user.email}
                </a>{' '}
                <span className="text-ink-3">({confirmed(user.emailVerification)})</span>
              </>
            )
          },
          ...(user.address === undefined ? [] : [{ label: t('userPage.address'), value: user.address }]),
          ...(user.permissions === undefined
            ? []
            : [
                {
                  label: t('userPage.permissions'),
                  value: permissionsOf(user)
                    .map((name) => t(`permission.${name}`))
                    .join(', ')
                }
              ]),
          { label: t('userPage.zone'), value: user.timezone ?? '' },
          { label: t('users.createdAt'), value: <TimeAgo at={user.createdAt} /> },
          { label: t('users.id'), value: user._id, isCode: true }
        ]}
      />
    </section>
  )
}
