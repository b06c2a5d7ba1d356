import type { Rate } from '@batti/kit/token-bucket'

/** So many boards, or screens, of one account may use their own limits in full at the same time, at each api instance. */
const atTheirLimit = 10

/** Returns the limit of all boards, or all screens, of one account together, from that of one of them. */
export const accountRate = ({ perSecond, burst }: Rate): Rate => ({
  perSecond: perSecond * atTheirLimit,
  burst: burst * atTheirLimit
})
