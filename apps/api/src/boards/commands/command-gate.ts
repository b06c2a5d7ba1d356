/** Throws, with a sentence for people, while a board takes no commands. */
type Check = (deviceId: string) => void

/** Blocks commands to a board for as long as any registered check throws. */
export function createCommandGate() {
  const checks: Check[] = []
  return {
    addCheck: (check: Check): void => void checks.push(check),
    /** @throws AppError of the first check that refuses. */
    pass(deviceId: string): void {
      for (const check of checks) check(deviceId)
    }
  }
}
