import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'

const run = promisify(execFile)
const home = mkdtempSync(join(tmpdir(), 'batti-db-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

/** Like npm: starts it at the root of the repository, with the folder where it was typed in the environment. */
const db = (...args: string[]) =>
  run(process.execPath, [join(import.meta.dirname, 'cli.ts'), ...args], { env: { ...process.env, INIT_CWD: home } })

test('npm run db -- --help lists the commands, and says where npm start keeps the data', async () => {
  const { stdout } = await db('--help')
  for (const command of ['backup', 'restore', 'export', 'import', 'integrity', 'stats'])
    expect(stdout).toContain(command)
  expect(stdout).toContain('.batti/db')
})

test('a mistyped folder is named relative to where it was typed, and not created', async () => {
  const typo = join(home, 'typo')
  await expect(db('stats', '--data', 'typo')).rejects.toMatchObject({
    stderr: `There is no database at ${typo}/batti.db.\n`
  })
  expect(existsSync(typo)).toBe(false)
})
