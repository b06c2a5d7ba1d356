import { isRecord } from '@batti/kit/json'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** The processes of a machine. */
export interface ProcessTable {
  /** When it started, which no other process of its number did. Null where none runs, or that cannot be known. */
  startOf(pid: number): string | null
  /** With all that it has started. */
  kill(pid: number): void
}

export const thisMachine: ProcessTable = {
  startOf(pid) {
    if (process.platform === 'win32') return null
    return process.platform === 'linux' ? startOnLinux(pid) : startByPs(pid)
  },
  kill(pid) {
    try {
      process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
    } catch {
      // Gone by itself.
    }
  }
}

/** Ticks since a boot, and which boot that was. */
function startOnLinux(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name before it may hold anything, spaces and brackets too. Of proc_pid_stat(5): the state is field 3, the start 22.
    const [state = '', ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = fields[18]
    if (hasEnded(state) || ticks === undefined) return null
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${ticks}`
  } catch {
    return null
  }
}

function startByPs(pid: number): string | null {
  const { stdout } = spawnSync('ps', ['-o', 'state=', '-o', 'lstart=', '-p', String(pid)], {
    encoding: 'utf8',
    env: { PATH: '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' }
  })
  const [, state = '', start = ''] = /^(\S+)\s+(.+)$/.exec((stdout ?? '').trim()) ?? []
  return start === '' || hasEnded(state) ? null : start
}

/** One that has ended keeps its number until whoever started it has noticed. */
const hasEnded = (state: string): boolean => /^[ZX]/.test(state)

/** The command line of a running process; '' when it runs but cannot be read; null when there is none. */
export function commandOf(pid: number): string | null {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (!isRecord(error) || error['code'] !== 'EPERM') return null
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? ''
  }
}
