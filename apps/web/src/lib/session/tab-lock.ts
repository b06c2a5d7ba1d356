/**
 * Runs `task` while no other tab runs one of the same name. Web Locks exist only on HTTPS and localhost, and a browser
 * that blocks cookies refuses them; tabs may then renew at the same time, which the server's ten seconds of grace cover.
 */
export function createTabLock(locks: LockManager | undefined, name: string) {
  return async (task: () => Promise<void>): Promise<void> => {
    if (locks === undefined) return task()
    let isRun = false
    try {
      await locks.request(name, () => {
        isRun = true
        return task()
      })
    } catch (error) {
      if (isRun) throw error
      await task()
    }
  }
}
