import { readFileSync } from 'node:fs'
import { commandOf } from '../parts/process-table.ts'

const lookEveryMs = 500

/**
 * Calls `gone` once when the runner of this process has ended. npm runs it in a shell. A signal to npm, or the end of npm,
 * reaches that shell at most, but not its child. Returns a function that stops watching.
 */
export function watchRunner(gone: () => void): () => void {
  const parent = process.ppid
  const npm = npmBehind(parent)
  const timer = setInterval(() => {
    if (process.ppid === parent && (npm === null || isNpm(npm))) return
    clearInterval(timer)
    gone()
  }, lookEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}

/** A zombie process has no command line. */
const isNpm = (pid: number): boolean => /\bnpm\b/.test(commandOf(pid) ?? '')

/** Returns the id of the npm process behind its shell; null when it cannot be determined. */
function npmBehind(parent: number): number | null {
  if (!/^\S*sh -c /.test(commandOf(parent) ?? '')) return null
  try {
    // `pid (name) state ppid …`; the name may contain brackets and spaces.
    const stat = readFileSync(`/proc/${parent}/stat`, 'utf8')
    const npm = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    return npm > 1 && isNpm(npm) ? npm : null
  } catch {
    return null
  }
}
