import { isRecord } from '@batti/kit/json'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** The processes of a machine. */
export interface ProcessTable {
  /** Returns the start time, which tells processes with the same id apart. Null when none runs, or when it is unknown. */
  startOf(pid: number): string | null
  /** Kills the process and all its children. */
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
      // It has already ended.
    }
  }
}

/** Returns the boot id and the start of the process in clock ticks since that boot. */
function startOnLinux(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // Field 2, the name, may contain spaces and brackets. In proc_pid_stat(5) the state is field 3, the start time field 22.
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

/** A zombie keeps its process id until its parent has waited for it. */
const hasEnded = (state: string): boolean => /^[ZX]/.test(state)

/** Returns the command line of a process: '' when it runs but is unreadable, null when there is no such process. */
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
