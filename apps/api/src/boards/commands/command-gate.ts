import { conflict } from '../../platform/app-error.ts'

/** Why a board takes no commands now, in a sentence; null while it takes them. */
type WhyNot = (deviceId: string) => string | null

/** Holds back commands to boards that take none now, whoever knows of a reason. */
export function createCommandGate() {
  const reasons: WhyNot[] = []
  return {
    /** Commands are refused for as long as a reason is given. */
    refuseWhile: (whyNot: WhyNot): void => void reasons.push(whyNot),
    /** @throws AppError CONFLICT with the first reason that there is. */
    pass(deviceId: string): void {
      for (const whyNot of reasons) {
        const reason = whyNot(deviceId)
        if (reason !== null) throw conflict(reason)
      }
    }
  }
}
