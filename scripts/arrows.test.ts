import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { isRecord } from '@batti/kit/json'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rootDir, runCommand } from './run-command.ts'

/** One wrong import for each rule: the importing file, and its import. */
const wrong: Readonly<Record<string, readonly [file: string, imports: string]>> = {
  resolves: ['apps/api/src/lost.ts', './nowhere.ts'],
  'no-cycles': ['apps/api/src/egg.ts', './hen.ts'],
  'contracts-know-zod-only': ['packages/contracts/src/ids.ts', 'express'],
  'kit-knows-node-only': ['packages/kit/src/clever.ts', 'zod'],
  'firmware-knows-node-only': ['packages/firmware/src/clever.ts', 'zod'],
  'client-knows-contracts-and-kit': ['packages/client/src/inside.ts', '../../launcher/src/main.ts'],
  'kit-runs-in-browsers': ['packages/kit/src/address.ts', './node/folders.ts'],
  'kit-knows-no-node-outside-its-room': ['packages/kit/src/json.ts', 'node:fs'],
  'web-runs-in-browsers': ['apps/web/src/lib/files.ts', '../../../../packages/kit/src/node/folders.ts'],
  'apps-api-alone': ['apps/api/src/spy.ts', '../../broker/src/mqtt/authorize.ts'],
  'apps-broker-alone': ['apps/broker/src/spy.ts', '../../api/src/compose.ts'],
  'apps-web-alone': ['apps/web/src/lib/spy.ts', '../../../api/src/compose.ts'],
  'firmware-sim-alone': ['firmware-sim/src/spy.ts', '../../apps/api/src/compose.ts'],
  'packages-embedded-mongo-alone': ['packages/embedded-mongo/src/spy.ts', '../../../apps/api/src/compose.ts'],
  'tests-stay-on-their-side': ['apps/api/src/far.test.ts', '../../../e2e/src/browser.ts'],
  'nothing-imports-whole-system-code': ['packages/contracts/src/far.ts', '../../launcher/src/main.ts'],
  'api-main-only-starts': ['apps/api/src/main.ts', './platform/store/database.ts'],
  'api-nobody-imports-compose': ['apps/api/src/platform/http/grab.ts', '../../compose.ts'],
  'api-feature-alone': ['apps/api/src/features/rooms/rooms.repository.ts', '../devices/devices.repository.ts'],
  'api-platform-alone': ['apps/api/src/platform/http/peek.ts', '../../features/devices/devices.repository.ts'],
  'api-boards-know-no-feature': ['apps/api/src/boards/peek.ts', '../features/devices/devices.repository.ts'],
  'api-boards-know-no-screen': ['apps/api/src/boards/shout.ts', '../realtime/socket-server.ts'],
  'api-service-knows-no-transport': ['apps/api/src/features/rooms/rooms.service.ts', 'mongoose'],
  'api-routes-know-no-repository': ['apps/api/src/features/rooms/rooms.routes.ts', './rooms.repository.ts'],
  'api-mqtt-only-in-boards': ['apps/api/src/realtime/shortcut.ts', 'mqtt'],
  'api-policy-is-pure': ['apps/api/src/features/rooms/rooms.policy.ts', './rooms.repository.ts'],
  'web-feature-alone': ['apps/web/src/features/rooms/list.ts', '../devices/list.ts'],
  'web-nothing-imports-app': ['apps/web/src/features/rooms/up.ts', '#web/app/routing/router.ts'],
  'web-routes-know-routing-only': ['apps/web/src/routes/user/home.ts', '#web/app/shell/shell.ts'],
  'web-ui-is-dumb': ['apps/web/src/ui/card.ts', '../features/devices/list.ts'],
  'web-lib-knows-no-ui': ['apps/web/src/lib/fancy.ts', '../ui/button.ts'],
  'sim-device-is-pure': ['firmware-sim/src/device/step.ts', '../network/link.ts'],
  'dev-dependency-in-product': ['apps/api/src/lazy.ts', 'supertest']
}
/** Other files that the wrong imports lead to, and right imports. */
const plain = [
  'apps/api/src/compose.ts',
  'apps/api/src/platform/store/database.ts',
  'apps/api/src/realtime/socket-server.ts',
  'apps/api/src/features/devices/devices.repository.ts',
  'apps/broker/src/mqtt/authorize.ts',
  'apps/web/src/app/routing/router.ts',
  'apps/web/src/app/shell/shell.ts',
  'apps/web/src/ui/button.ts',
  'apps/web/src/features/devices/list.ts',
  'packages/launcher/src/main.ts',
  'e2e/src/browser.ts',
  'firmware-sim/src/network/link.ts'
]
const right: Readonly<Record<string, string>> = {
  'apps/api/src/hen.ts': "import { it } from './egg.ts'\nexport const hen = it",
  'apps/api/src/features/devices/devices.service.ts':
    "import { it } from '../../../../../packages/contracts/src/fine.ts'\nexport const fine = it",
  'packages/contracts/src/fine.ts': "import { it as zod } from 'zod'\nexport const it = zod",
  'apps/api/src/boards/link/client.ts': "import { it } from 'mqtt'\nexport const fine = it",
  'apps/api/package.json': JSON.stringify({
    dependencies: { express: '1', mqtt: '1', mongoose: '1' },
    devDependencies: { supertest: '1' }
  }),
  'apps/web/package.json': JSON.stringify({ imports: { '#web/*': './src/*' } }),
  'packages/kit/src/node/folders.ts': "import { mkdirSync } from 'node:fs'\nexport const fine = mkdirSync",
  'packages/firmware/package.json': JSON.stringify({ dependencies: { zod: '1' } }),
  'packages/kit/package.json': JSON.stringify({ dependencies: { zod: '1' } }),
  'packages/contracts/package.json': JSON.stringify({ dependencies: { zod: '1' } })
}

let folder: string
let violations: { from: string; rule: string }[]
let ruleNames: string[]

const field = (value: unknown, name: string): unknown => (isRecord(value) ? value[name] : undefined)
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'batti-arrows-'))
  const put = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  for (const path of plain) await put(path, 'export const it = 1\n')
  for (const [path, text] of Object.entries(right)) await put(path, text)
  for (const [path, imports] of Object.values(wrong))
    await put(path, `import { it as that } from '${imports}'\nexport const it = that\n`)
  for (const name of ['zod', 'express', 'mongoose', 'mqtt', 'supertest']) {
    await put(
      `node_modules/${name}/package.json`,
      JSON.stringify({ name, version: '1.0.0', type: 'module', exports: './index.js' })
    )
    await put(`node_modules/${name}/index.js`, 'export const it = 1\n')
  }
  const config = join(rootDir, '.dependency-cruiser.cjs')
  const { text } = await runCommand(
    'depcruise',
    ['--config', config, '--output-type', 'json', 'apps', 'packages', 'firmware-sim', 'e2e'],
    { cwd: folder }
  )
  const report: unknown = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))
  violations = list(field(field(report, 'summary'), 'violations')).map((one) => ({
    from: String(field(one, 'from')),
    rule: String(field(field(one, 'rule'), 'name'))
  }))
  const rules: unknown = createRequire(import.meta.url)(config)
  ruleNames = list(field(rules, 'forbidden')).map((rule) => String(field(rule, 'name')))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

describe('the import rules', () => {
  it.each(Object.entries(wrong))('%s: a wrong import is an error', (rule, [file]) => {
    expect(violations).toContainEqual({ from: file, rule })
  })

  it('are each covered by a wrong import in this test', () => {
    expect(ruleNames.toSorted((a, b) => a.localeCompare(b))).toEqual(
      Object.keys(wrong).toSorted((a, b) => a.localeCompare(b))
    )
  })

  it('allow right imports', () => {
    const innocent = new Set([...plain, ...Object.keys(right)].filter((path) => path !== 'apps/api/src/hen.ts'))
    expect(violations.filter(({ from }) => innocent.has(from))).toEqual([])
  })
})
