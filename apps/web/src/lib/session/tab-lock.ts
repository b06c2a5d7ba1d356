/**
 * Runs `task` while no other tab runs one of the same name. Web Locks exist only on HTTPS and localhost; elsewhere (a
 * phone at http://192.168.x.x) tabs may renew at the same time, which the server's ten seconds of grace cover.
 */
export function createTabLock(locks: LockManager | undefined, name: string) {
  return async (task: () => Promise<void>): Promise<void> => {
    if (locks === undefined) return task()
    await locks.request(name, task)
  }
}
