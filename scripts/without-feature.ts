/** `node scripts/without-feature.ts NAME...`: checks that the api compiles and starts without each of these features. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createDatabaseName, databaseUri, startTestDatabase } from '@batti/embedded-mongo/testing'
import { minuteMs } from '@batti/kit/durations'
import { freePort } from '@batti/kit/node/ports'
import { until } from '@batti/kit/testing'
import { removeFromCompose } from './remove-from-compose.ts'
import { rootDir, runCommand } from './run-command.ts'

export interface WithoutFeature {
  /** Output of the type checker; empty without errors. */
  types: string
  /** HTTP status of a call to each path below the api's base. */
  statuses: Record<string, number>
  /** The exit code of the api after a SIGTERM. */
  exitCode: number | null
}

/** Removes a feature from a copy of the api, checks its types, and starts it on an empty database. */
export async function tryWithout(feature: string, paths: readonly string[]): Promise<WithoutFeature> {
  const folder = await mkdtemp(join(tmpdir(), `batti-without-${feature}-`))
  try {
    await copyApi(folder)
    const source = join(folder, 'apps/api/src')
    await rm(join(source, 'features', feature), { recursive: true })
    const composeFile = join(source, 'compose.ts')
    await writeFile(composeFile, removeFromCompose(await readFile(composeFile, 'utf8'), feature))
    const { text: types } = await runCommand('tsc', ['-p', join(folder, 'apps/api'), '--noEmit', '--singleThreaded'])
    return { types, ...(await startAndAsk(join(source, 'main.ts'), paths)) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Copies the api without its tests, which may be about any feature. It uses the packages of this repository. */
async function copyApi(folder: string): Promise<void> {
  const isTest = /\.test\.ts$|\/src\/testing(\/|$)|\/node_modules(\/|$)/
  await cp(join(rootDir, 'apps/api'), join(folder, 'apps/api'), {
    recursive: true,
    filter: (path) => !isTest.test(path.slice(rootDir.length))
  })
  await cp(join(rootDir, 'tsconfig.base.json'), join(folder, 'tsconfig.base.json'))
  await symlink(join(rootDir, 'node_modules'), join(folder, 'node_modules'))
}

async function startAndAsk(main: string, paths: readonly string[]): Promise<Omit<WithoutFeature, 'types'>> {
  const database = await startTestDatabase()
  const [port, internalPort] = [await freePort(), await freePort()]
  const secret = (): string => randomBytes(32).toString('base64')
  const api = spawn(process.execPath, [main], {
    env: {
      PATH: process.env['PATH'],
      MONGODB_URI: databaseUri(database.uri, createDatabaseName('without')),
      PORT: String(port),
      INTERNAL_PORT: String(internalPort),
      METRICS_PORT: '0',
      INTERNAL_SECRET: secret(),
      JWT_SECRET: secret(),
      DATA_KEY: secret(),
      MQTT_SERVICE_PASSWORD: secret(),
      DATA_DIR: join(main, '../../../../data'),
      LOG_LEVEL: 'fatal'
    },
    stdio: ['ignore', 'ignore', 'inherit']
  })
  const ended = once(api, 'exit')
  try {
    const base = `http://127.0.0.1:${port}`
    await until(
      'the api answers or has ended',
      async () => api.exitCode !== null || (await answers(`${base}/healthz`)),
      2 * minuteMs
    )
    const statuses: [string, number][] = []
    if (api.exitCode === null) {
      for (const path of paths) statuses.push([path, (await fetch(`${base}/api/v1${path}`)).status])
    }
    api.kill('SIGTERM')
    await ended
    return { statuses: Object.fromEntries(statuses), exitCode: api.exitCode }
  } finally {
    api.kill('SIGKILL')
    await database.stop()
  }
}

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false
  )

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await tryThese(process.argv.slice(2))

async function tryThese(names: readonly string[]): Promise<void> {
  const entries = await readdir(join(rootDir, 'apps/api/src/features'), { withFileTypes: true })
  const features = entries.flatMap((entry) => (entry.isDirectory() ? entry.name : []))
  const unknown = names.find((name) => !features.includes(name))
  if (names.length === 0 || names.includes('--help')) {
    console.log(`node scripts/without-feature.ts NAME... There are: ${features.join(', ')}.`)
  } else if (unknown !== undefined) {
    console.error(`There is no feature ${unknown}. There are: ${features.join(', ')}.`)
    process.exitCode = 1
  } else
    for (const feature of names) {
      const { types, exitCode } = await tryWithout(feature, [])
      const isFine = types === '' && exitCode === 0
      if (!isFine) process.exitCode = 1
      console.log(isFine ? `the api type-checks and runs without ${feature}` : `not without ${feature}:\n${types}`)
    }
}
