import { spawnSync } from 'node:child_process'

const longestStopMs = 600
const longestGapMs = 400

/**
 * Stops the descendants of this process at random, one at a time for up to 0.6 s each, as a machine does that has too much
 * to do. Returns a function that ends it. A test that fails under this asserts how fast something comes.
 */
export function stopAtRandom(): () => void {
  let stopped: number | null = null
  let timer: NodeJS.Timeout | undefined

  const signal = (pid: number, name: 'SIGSTOP' | 'SIGCONT'): boolean => {
    try {
      return process.kill(pid, name)
    } catch {
      // It has ended.
      return false
    }
  }
  function end(): void {
    clearTimeout(timer)
    if (stopped !== null) signal(stopped, 'SIGCONT')
    stopped = null
  }
  function goOn(): void {
    end()
    timer = setTimeout(stop, Math.random() * longestGapMs)
  }
  function stop(): void {
    const all = descendants()
    const pid = all[Math.floor(Math.random() * all.length)]
    if (pid !== undefined && signal(pid, 'SIGSTOP')) stopped = pid
    timer = setTimeout(goOn, Math.random() * longestStopMs)
  }

  goOn()
  return end
}

/** Returns the ids of all processes that this one has started, and that they have started. */
function descendants(): number[] {
  const { pid: ps, stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  const processes = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
  const below = (parent: number): number[] =>
    processes.filter(([pid, of]) => of === parent && pid !== ps).flatMap(([pid = 0]) => [pid, ...below(pid)])
  return below(process.pid)
}
