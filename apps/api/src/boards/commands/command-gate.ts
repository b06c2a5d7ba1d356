import { conflict } from '../../platform/app-error.ts'

/** Returns why a board takes no commands now, as a sentence; null while it takes them. */
type WhyNot = (deviceId: string) => string | null

/** Blocks commands to a board for as long as any registered check gives a reason. */
export function createCommandGate() {
  const reasons: WhyNot[] = []
  return {
    /** Registers a check: commands are refused for as long as it returns a reason. */
    refuseWhile: (whyNot: WhyNot): void => void reasons.push(whyNot),
    /** @throws AppError CONFLICT with the first reason given. */
    pass(deviceId: string): void {
      for (const whyNot of reasons) {
        const reason = whyNot(deviceId)
        if (reason !== null) throw conflict(reason)
      }
    }
  }
}
