import { connect } from 'node:net'

/** Tells whether a process listens on a socket. The file alone does not prove it: it stays when the process is killed. */
export const answers = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = connect(path)
    probe.once('connect', () => {
      probe.destroy()
      resolve(true)
    })
    probe.once('error', () => resolve(false))
  })
