import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '@batti/client/client'
import { login } from '@batti/contracts'
import { freePort } from '@batti/kit/node/ports'
import { root, startProgram, until, type Program } from './programs.ts'

export interface Api {
  url: string
  port: number
  internalPort: number
  program: Program
}

/** Starts the apis of one cluster, each with its own ports and folder, and registers their programs. */
export function createApiStarter(cluster: {
  dir: string
  settings: Readonly<Record<string, string>>
  programs: Map<string, Program>
}): (env: Readonly<Record<string, string>>) => Promise<Api> {
  const { dir, settings, programs } = cluster
  let started = 0

  return async (env) => {
    const [port, internalPort, metricsPort] = [await freePort(), await freePort(), await freePort()]
    const name = `api-${(started += 1)}`
    const dataDir = join(dir, name)
    await mkdir(dataDir)
    const program = startProgram(name, process.execPath, [join(root, 'apps/api/src/main.ts')], {
      ...settings,
      PORT: String(port),
      INTERNAL_PORT: String(internalPort),
      METRICS_PORT: String(metricsPort),
      DATA_DIR: dataDir,
      ...env
    })
    programs.set(name, program)
    return { url: `http://127.0.0.1:${port}`, port, internalPort, program }
  }
}

/** Resolves when the api answers requests. @throws Error after 30 s. */
export const whenAlive = (api: Api): Promise<void> =>
  until(`${api.program.name} listens`, async () => (await fetch(`${api.url}/healthz`)).ok)

/** Resolves when the api is also connected to its database and the broker. @throws Error after 30 s. */
export const whenReady = (api: Api): Promise<void> =>
  until(`${api.program.name} is ready`, async () => (await fetch(`${api.url}/readyz`)).ok)

/** Logs in. Returns the access token. */
export async function logIn(base: string, person: { email: string; password: string }): Promise<string> {
  return (await createClient({ base }).call(login, { body: person })).accessToken
}
