import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { startServerProcess } from '../../../packages/embedded-mongo/src/testing/server-process.ts'
import { until as untilAnswered } from '@batti/kit/testing'

export const root = join(import.meta.dirname, '../../..')

/** A process of a cluster: a server program or an api. */
export interface Program {
  name: string
  process: ChildProcess
  /** Sends a signal. Resolves when the process has ended. */
  end(signal: NodeJS.Signals): Promise<void>
}

/** Describes which of these programs are missing; undefined when none is. `debian` is the package that contains them. */
export function missingPrograms(names: readonly string[], debian?: string): string | undefined {
  const missing = names.filter((name) => spawnSync('which', [name]).status !== 0)
  if (missing.length === 0) return undefined
  return `not installed here: ${missing.join(', ')} (Debian: apt-get install ${debian ?? missing.join(' ')})`
}

const started = new Set<ChildProcess>()
// Includes programs that failed to start, which no caller knows of.
process.once('exit', () => started.forEach((child) => child.kill('SIGKILL')))

export function startProgram(
  name: string,
  command: string,
  args: readonly string[],
  env: Record<string, string | undefined> = process.env
): Program {
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  child.stdout.resume()
  return asProgram(name, child)
}

function asProgram(name: string, child: ChildProcess): Program {
  started.add(child)
  child.once('exit', () => started.delete(child))
  const ended = once(child, 'exit')
  return {
    name,
    process: child,
    async end(signal) {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      await ended
    }
  }
}

/** Waits until `is` returns true. An error of `is` counts as false. */
export async function until(what: string, is: () => Promise<boolean> | boolean, withinMs = 30_000): Promise<void> {
  await untilAnswered(what, async () => Promise.resolve(is()).catch(() => false), withinMs)
}

/** Resolves when a program listens on the port. */
export const listening = (port: number): Promise<void> =>
  until(
    `port ${port} answers`,
    () =>
      new Promise<boolean>((resolve) => {
        const socket = connect(port, '127.0.0.1', () => {
          socket.destroy()
          resolve(true)
        })
        socket.on('error', () => resolve(false))
      })
  )

/** Starts the embedded engine on an empty folder. Returns its URI. */
export async function startDatabase(data: string): Promise<{ program: Program; uri: string }> {
  const { child, uri } = await startServerProcess(data, ['--port', '0'])
  return { program: asProgram('database', child), uri }
}

/** Starts Redis without persistence: after a restart it is empty. */
export async function startRedis(port: number): Promise<Program> {
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const program = startProgram('redis', 'redis-server', args)
  await listening(port)
  return program
}

export async function startHaproxy(options: { dir: string; port: number; apis: readonly number[] }): Promise<Program> {
  const file = join(options.dir, 'haproxy.cfg')
  const servers = options.apis.map(
    (port, index) => `  server api${index} 127.0.0.1:${port} check inter 300 fall 3 rise 2`
  )
  const text = `defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout tunnel 1h
  option redispatch
  retries 3
frontend people
  bind 127.0.0.1:${options.port}
  default_backend apis
backend apis
  balance roundrobin
  option httpchk GET /readyz
  http-request disable-l7-retry unless METH_GET
  retry-on conn-failure empty-response
${servers.join('\n')}
`
  await writeFile(file, text)
  const program = startProgram('haproxy', 'haproxy', ['-q', '-db', '-f', file])
  await listening(options.port)
  return program
}
