import type { DeviceRecord, UserListRecord } from '@batti/contracts'
import type { Text } from '#web/lib/i18n/use-text.ts'

/** Boards of an account, worst health first; `total` also counts those that were not loaded. */
export interface LoadedBoards {
  devices: readonly DeviceRecord[]
  total: number
}

/** Returns a summary of an account for support: its boards, then anything unusual. */
export function userSentence(user: UserListRecord, boards: LoadedBoards | null, t: Text): string {
  const { devices, total } = boards ?? { devices: [], total: user.deviceCount }
  const needHand = devices.filter(({ health }) =>
    health.reasons.some((reason) => reason !== 'never-seen' && reason !== 'outdated')
  )
  return [
    devices.length === 0 || devices.length < total
      ? t('userPage.boards', { count: total })
      : t('userPage.boardsOnline', { count: total, online: devices.filter((board) => board.isOnline).length }),
    ...(needHand.length === 0 ? [] : [t('userPage.needHand', { count: needHand.length })]),
    ...(user.emailVerification ? [] : [t('userPage.emailOpen')]),
    ...(user.phone === null || user.phoneVerification ? [] : [t('userPage.phoneOpen')])
  ].join(' ')
}
