import type { UserListRecord } from '@batti/contracts'
import type { Column } from '#web/ui/data-table/columns.ts'
import { T } from '#web/ui/text.tsx'

const verifiedWords = (isVerified: boolean) => (isVerified ? 'users.verified' : 'users.notVerified')

export const userColumns: readonly Column<UserListRecord>[] = [
  { id: '_id', label: 'users.id', width: 206, isCode: true, card: { line: 4 } },
  { id: 'name', label: 'users.name', width: 160, isTitle: true },
  {
    id: 'email',
    label: 'users.email',
    more: ({ emailVerification }) => <T id={verifiedWords(emailVerification)} />,
    words: ({ email, emailVerification }, t) => `${email} · ${t(verifiedWords(emailVerification))}`,
    width: 182,
    card: { line: 2 }
  },
  {
    id: 'phone',
    label: 'users.phone',
    more: ({ phoneVerification }) => <T id={verifiedWords(phoneVerification)} />,
    words: ({ phone, phoneVerification }, t) => `${phone ?? ''} · ${t(verifiedWords(phoneVerification))}`,
    width: 148,
    card: { line: 3 }
  },
  {
    id: 'role',
    label: 'users.role',
    value: ({ role }, t) => t(`users.role.${role}`),
    width: 80,
    card: { line: 3, isEnd: true }
  },
  { id: 'deviceCount', label: 'users.devices', width: 80, isNumber: true },
  { id: 'scheduleCount', label: 'users.schedules', width: 89, isNumber: true, isSpare: true },
  { id: 'roomCount', label: 'users.rooms', width: 75, isNumber: true, isSpare: true },
  { id: 'createdAt', label: 'users.createdAt', isTime: true, width: 120 }
]
