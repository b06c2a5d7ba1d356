import type { UserListRecord } from '@batti/contracts'
import { useIntl } from 'react-intl'
import { DetailFacts } from '#web/ui/detail-facts.tsx'
import { DialogSheet } from '#web/ui/dialog-sheet.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'

/** What is known of an account. */
export function UserViewDialog({ user, onClose }: { user: UserListRecord; onClose: () => void }) {
  const t = useText()
  const intl = useIntl()
  const confirmed = (is: boolean) => t(is ? 'users.verified' : 'users.notVerified')
  return (
    <DialogSheet isOpen onClose={onClose} title={user.name} description={t(`users.role.${user.role}`)}>
      <DetailFacts
        className="py-2"
        facts={[
          { label: t('users.id'), value: user._id, isCode: true },
          { label: t('users.email'), value: `${user.email} (${confirmed(user.emailVerification)})` },
          {
            label: t('users.phone'),
            value: user.phone === null ? '' : `${user.phone} (${confirmed(user.phoneVerification)})`
          },
          { label: t('users.devices'), value: intl.formatNumber(user.deviceCount) },
          { label: t('users.rooms'), value: intl.formatNumber(user.roomCount) },
          { label: t('users.schedules'), value: intl.formatNumber(user.scheduleCount) },
          { label: t('users.createdAt'), value: <TimeAgo at={user.createdAt} /> }
        ]}
      />
    </DialogSheet>
  )
}
