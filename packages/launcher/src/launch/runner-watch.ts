import { readFileSync } from 'node:fs'
import { commandOf } from '../parts/process-table.ts'

const lookEveryMs = 500

/**
 * Calls `gone` once when what runs this process has ended. npm runs it in a shell; a signal to npm, or its end, reaches
 * that shell at most, and not what the shell waits for. Answers the undo.
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

/** A process that has ended and was not collected yet has no command line any more. */
const isNpm = (pid: number): boolean => /\bnpm\b/.test(commandOf(pid) ?? '')

/** The process of npm, where a shell of its stands between; null where that cannot be seen. */
function npmBehind(parent: number): number | null {
  if (!/^\S*sh -c /.test(commandOf(parent) ?? '')) return null
  try {
    // `pid (name) state ppid …`; a name may hold brackets and spaces.
    const stat = readFileSync(`/proc/${parent}/stat`, 'utf8')
    const npm = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    return npm > 1 && isNpm(npm) ? npm : null
  } catch {
    return null
  }
}
