import type { DeviceRecord, UserListRecord } from '@batti/contracts'
import type { Text } from '#web/lib/i18n/use-text.ts'

/** Returns a summary of an account for support: its boards, then anything unusual. */
export function userSentence(user: UserListRecord, boards: readonly DeviceRecord[] | null, t: Text): string {
  const isWrong = ({ health }: DeviceRecord) =>
    health.reasons.some((reason) => reason !== 'never-seen' && reason !== 'outdated')
  return [
    boards === null || boards.length === 0
      ? t('userPage.boards', { count: user.deviceCount })
      : t('userPage.boardsOnline', { count: boards.length, online: boards.filter((board) => board.isOnline).length }),
    ...(boards === null || !boards.some(isWrong)
      ? []
      : [t('userPage.needHand', { count: boards.filter(isWrong).length })]),
    ...(user.emailVerification ? [] : [t('userPage.emailOpen')]),
    ...(user.phone === null || user.phoneVerification ? [] : [t('userPage.phoneOpen')])
  ].join(' ')
}
