import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'

const run = promisify(execFile)
const home = mkdtempSync(join(tmpdir(), 'batti-db-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

/** As npm starts it: at the root of the repository, wherever it was typed. */
const db = (...args: string[]) =>
  run(process.execPath, [join(import.meta.dirname, 'cli.ts'), ...args], { env: { ...process.env, INIT_CWD: home } })

test('npm run db -- --help says what there is, and where the data is that npm start keeps', async () => {
  const { stdout } = await db('--help')
  for (const command of ['backup', 'restore', 'export', 'import', 'integrity', 'stats'])
    expect(stdout).toContain(command)
  expect(stdout).toContain('.batti/db')
})

test('a folder with a typing error is named, as it is seen from where it was typed, and not made', async () => {
  const typo = join(home, 'typo')
  await expect(db('stats', '--data', 'typo')).rejects.toMatchObject({
    stderr: `There is no database at ${typo}/batti.db.\n`
  })
  expect(existsSync(typo)).toBe(false)
})
