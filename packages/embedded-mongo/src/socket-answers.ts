import { connect } from 'node:net'

/** Whether somebody listens on that socket: its file outlives a process that was killed. */
export const answers = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = connect(path)
    probe.once('connect', () => {
      probe.destroy()
      resolve(true)
    })
    probe.once('error', () => resolve(false))
  })
