import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rootDir, runCommand } from '../run-command.ts'

type Case = readonly [rule: string, file: string, code: string]

const refused: readonly Case[] = [
  ['eslint(no-restricted-properties)', 'apps/api/src/a1.ts', 'export const port = process.env.PORT'],
  ['eslint(no-restricted-properties)', 'apps/api/src/a2.ts', "export const port = process['env']['PORT']"],
  ['eslint(no-restricted-properties)', 'apps/api/src/a3.ts', 'const { env } = process\nexport const port = env'],
  [
    'eslint(no-restricted-imports)',
    'apps/api/src/a4.ts',
    "import { env } from 'node:process'\nexport const port = env"
  ],
  ['house(time-from-the-clock)', 'apps/api/src/b1.ts', 'export const at = Date.now()'],
  ['house(time-from-the-clock)', 'apps/api/src/b2.ts', 'export const at = new Date()'],
  ['house(time-from-the-clock)', 'apps/api/src/b3.ts', 'export const now = Date.now'],
  ['eslint(no-console)', 'apps/api/src/c1.ts', "console.log('here')"],
  ['import(no-default-export)', 'apps/api/src/d1.ts', 'export default 1'],
  [
    'eslint(no-restricted-imports)',
    'apps/api/src/e.service.ts',
    "import mongoose from 'mongoose'\nexport const it = mongoose"
  ],
  ['house(database-rules)', 'apps/api/src/f1.ts', "export const filter = { $where: 'this.a > 1' }"],
  ['house(database-rules)', 'apps/api/src/f2.ts', "export const filter = { '$text': { $search: 'x' } }"],
  ['house(database-rules)', 'apps/api/src/f3.ts', "export const index = { place: '2dsphere' }"],
  [
    'house(database-rules)',
    'apps/api/src/f4.ts',
    "export const day = { $dateTrunc: { date: '$at', unit: 'day', timezone: 'UTC' } }"
  ],
  ['house(database-rules)', 'apps/api/src/f5.ts', 'export const options = { capped: true }'],
  [
    'typescript(no-floating-promises)',
    'apps/api/src/g1.ts',
    'async function save(): Promise<void> {}\nexport function run(): void {\n  save()\n}'
  ],
  [
    'typescript(no-misused-promises)',
    'apps/api/src/g2.ts',
    'export const lost = [1].forEach(async (one) => {\n  await Promise.resolve(one)\n})'
  ],
  ['typescript(no-explicit-any)', 'apps/api/src/h1.ts', 'export const it = (value: any): void => void value'],
  [
    'typescript(no-non-null-assertion)',
    'apps/api/src/h2.ts',
    'export const first = (list: string[]): string => list[0]!'
  ],
  ['vitest(expect-expect)', 'apps/api/src/i3.test.ts', "import { it } from 'vitest'\nit('works', () => {})"],
  ['vitest(no-focused-tests)', 'apps/api/src/i1.test.ts', "import { it } from 'vitest'\nit.only('works', () => {})"],
  ['vitest(no-disabled-tests)', 'apps/api/src/i2.test.ts', "import { it } from 'vitest'\nit.skip('works', () => {})"],
  [
    'eslint(no-restricted-properties)',
    'apps/web/src/i4.test.ts',
    "import { expect, vi } from 'vitest'\nawait vi.waitFor(() => expect(document.title).toBe('Home'))"
  ]
]

const allowed: readonly (readonly [file: string, code: string])[] = [
  ['apps/api/src/config.ts', 'export const port = process.env.PORT'],
  ['packages/kit/src/clock.ts', 'export const systemClock = { now: (): number => Date.now() }'],
  ['apps/api/src/main.ts', "console.log('listening')"],
  ['apps/api/vite.config.ts', 'export default {}'],
  ['apps/api/src/j1.ts', 'export const at = (ms: number): Date => new Date(ms)'],
  ['apps/api/src/j2.ts', "export const field = { type: 'text', kind: 'text' }"],
  ['apps/api/src/j3.ts', "export const day = { $dateTrunc: { date: '$at', unit: 'day' } }"],
  ['apps/api/src/j4.repository.ts', "import mongoose from 'mongoose'\nexport const it = mongoose"],
  [
    'apps/api/src/j6.test.ts',
    "import { it } from 'vitest'\ndeclare const login: () => { expect(status: number): Promise<void> }\nit('works', async () => {\n  await login().expect(200)\n})"
  ],
  ['packages/embedded-mongo/src/j5.ts', "export const refused = { $where: 'code 2' }"]
]

let folder: string
const found = new Map<string, string[]>()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'batti-lint-'))
  await cp(join(rootDir, '.oxlintrc.json'), join(folder, '.oxlintrc.json'))
  await cp(join(rootDir, 'scripts/lint'), join(folder, 'scripts/lint'), { recursive: true })
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { strict: true, module: 'esnext', target: 'es2024', noEmit: true } })
  )
  for (const [file, code] of [...refused.map((one) => one.slice(1)), ...allowed]) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), `${code}\n`)
  }
  const { text } = await runCommand('oxlint', ['--format', 'json', 'apps', 'packages'], { cwd: folder })
  const report: unknown = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))
  for (const { filename, code } of diagnosticsOf(report)) found.set(filename, [...(found.get(filename) ?? []), code])
})

afterAll(() => rm(folder, { recursive: true, force: true }))

function diagnosticsOf(report: unknown): { filename: string; code: string }[] {
  if (
    typeof report !== 'object' ||
    report === null ||
    !('diagnostics' in report) ||
    !Array.isArray(report.diagnostics)
  ) {
    throw new Error('oxlint wrote no report')
  }
  return report.diagnostics
}

describe('the lint rules of this project', () => {
  it.each(refused)('%s finds %s', (rule, file) => {
    expect(found.get(file) ?? []).toContain(rule)
  })

  it.each(allowed)('ignore %s', (file) => {
    const ours = (found.get(file) ?? []).filter((code) => /^(house|vitest)\(/.test(code))
    expect(ours).toEqual([])
  })
})
