import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'

/** The root folder of the repository. */
export const rootDir = join(import.meta.dirname, '..')

/**
 * The arguments of Node that run vitest. It ends with `process.exit`, in which Node 24 may hang while it compiles in the
 * background: https://github.com/nodejs/node/issues/64274.
 */
export const vitest = [
  '--no-maglev-build-code-on-background',
  '--no-maglev-deopt-data-on-background',
  '--no-concurrent-sparkplug',
  join(rootDir, 'node_modules/vitest/vitest.mjs')
]

interface Options {
  env?: Record<string, string>
  /** The root folder by default. */
  cwd?: string
  /** `show` passes the terminal to the command; `keep` (the default) collects its output. */
  output?: 'show' | 'keep'
  timeoutMs?: number
}

/**
 * Runs a command without standard input. Looks in node_modules first.
 * Returns its exit code (127 when it cannot be started, 124 when it took longer than `timeoutMs`) and its output.
 */
export function runCommand(
  command: string,
  args: readonly string[],
  options: Options = {}
): Promise<{ code: number; text: string }> {
  const { env = {}, cwd = rootDir, output = 'keep', timeoutMs } = options
  const path = `${join(rootDir, 'node_modules/.bin')}${delimiter}${process.env['PATH'] ?? ''}`
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1', ...env, PATH: path },
      stdio: ['ignore', output === 'show' ? 'inherit' : 'pipe', output === 'show' ? 'inherit' : 'pipe'],
      // On Windows the tools in node_modules are .cmd files, which only a shell can start.
      shell: process.platform === 'win32'
    })
    let text = ''
    let isLate = false
    const timer =
      timeoutMs === undefined ? undefined : setTimeout(() => ((isLate = true), child.kill('SIGKILL')), timeoutMs)
    const keep = (chunk: Buffer): void => {
      text += chunk.toString()
    }
    child.stdout?.on('data', keep)
    child.stderr?.on('data', keep)
    const finish = (code: number): void => {
      clearTimeout(timer)
      resolve({ code: isLate ? 124 : code, text })
    }
    child.on('error', (error) => {
      text += error.message
      finish(127)
    })
    child.on('close', (code) => finish(code ?? 1))
  })
}
