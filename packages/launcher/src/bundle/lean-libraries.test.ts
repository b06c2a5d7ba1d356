import { testFolder } from '@batti/kit/node/testing'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'rolldown'
import { expect, onTestFinished, test, vi } from 'vitest'
import { leanLibraries } from './lean-libraries.ts'

const root = resolve(import.meta.dirname, '../../../..')
const fromMongodb = createRequire(join(root, 'node_modules/mongodb/package.json'))

/** Bundles a program of this text and returns its exports and its text. Imports are resolved like the driver's. */
async function bundled(text: string): Promise<Record<string, unknown>> {
  const folder = testFolder('lean')
  const file = join(folder, 'program.mjs')
  const entry = fromMongodb.resolve('mongodb')
  await build({
    input: 'program',
    platform: 'node',
    tsconfig: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === 'program' ? `${entry}.mjs` : null),
        load: (id) => (id === `${entry}.mjs` ? text : null)
      },
      ...leanLibraries(root)
    ],
    output: { file }
  })
  const exported = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Record<string, unknown>
  return { ...exported, text: readFileSync(file, 'utf8') }
}

test('database addresses are parsed as by the driver alone', async () => {
  const addresses = [
    'mongodb://localhost/batti',
    'mongodb://user:p%40ss@one.example:27017,two.example:27018,[::1]:27019/batti?replicaSet=rs0&retryWrites=false',
    'mongodb+srv://user:pass@cluster.example/?authSource=admin&readPreferenceTags=dc:ny,rack:1&readPreferenceTags=',
    'mongodb://%2Ftmp%2Fbatti%2Fdb.sock/batti?directConnection=true',
    'mongodb://us%C3%A9r:%E0%A4%AC%E0%A4%A4%E0%A5%8D%E0%A4%A4%E0%A5%80@h%C3%B4te.example/b%C3%A1tti',
    'mongodb+srv://one.example,two.example/batti',
    'mongodb://user:p@ss@host/batti',
    'http://localhost/batti',
    'mongodb:///batti'
  ]
  const read = (kind: { new (text: string): object }, text: string): unknown => {
    try {
      const address = new kind(text) as Record<string, unknown>
      const { hosts, pathname, username, password, isSRV } = address
      return [
        hosts,
        pathname,
        username,
        password,
        isSRV,
        `${address as unknown as string}`,
        [...(address['searchParams'] as URLSearchParams)]
      ]
    } catch (error) {
      return (error as Error).message
    }
  }
  const { ConnectionString } = await bundled("export { ConnectionString } from 'mongodb-connection-string-url'")
  const plain = (fromMongodb('mongodb-connection-string-url') as { ConnectionString: new (text: string) => object })
    .ConnectionString
  const lean = ConnectionString as typeof plain
  for (const address of addresses) expect(read(lean, address), address).toEqual(read(plain, address))
  expect(new lean(addresses[0] ?? '')).toBeInstanceOf(URL)
})

test('a password with special letters is prepared as the standard says, with tables loaded only then', async () => {
  const { prepared, text } = await bundled(
    "import { saslprep } from '@mongodb-js/saslprep'\nexport const prepared = saslprep('p\\u00ADass\\u2168')"
  )
  expect(prepared).toBe('passIX')
  expect((text as string).length).toBeLessThan(2000)
})

test('a phone number is parsed with rules that are loaded only then', async () => {
  const { parse, text } = await bundled("export { parsePhoneNumberFromString as parse } from 'libphonenumber-js/max'")
  const number = (parse as (text: string) => { country: string; getType(): string })('+9779812345678')
  expect([number.country, number.getType()]).toEqual(['NP', 'MOBILE'])
  expect((text as string).length).toBeLessThan(2000)
})

test('the driver and our code share one class of ids, and streams are those of node', async () => {
  const ofDriver = JSON.stringify(join(fromMongodb.resolve('mongodb'), '../bson.js'))
  const { ours, drivers, streams } = await bundled(`
    export { ObjectId as ours } from 'bson'
    export { ObjectId as drivers } from ${ofDriver}
    export { default as streams } from 'readable-stream'`)
  expect(ours).toBe(drivers)
  expect(streams).toBe(process.getBuiltinModule('node:stream'))
})

test('the driver does not check its connections ten times a second', async () => {
  const pool = JSON.stringify(join(fromMongodb.resolve('mongodb'), '../cmap/connection_pool.js'))
  const { text } = await bundled(`export { ConnectionPool } from ${pool}`)
  const [, lookMs] = /minPoolSizeCheckFrequencyMS \?\? ([\de]+)/.exec(text as string) ?? []
  expect(Number(lookMs)).toBe(10_000)
})

test('debug output of libraries is silent unless it is requested', async () => {
  const say = "import debug from 'debug'\nexport const isHeard = debug.debug('batti:test').extend('more').enabled"
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('DEBUG', '')
  const silent = await bundled(say)
  expect(silent).toMatchObject({ isHeard: false })
  expect((silent['text'] as string).length).toBeLessThan(2000)
  vi.stubEnv('DEBUG', 'batti:*')
  expect(await bundled(say)).toMatchObject({ isHeard: true })
})
