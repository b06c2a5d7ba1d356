import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)

test('npm run db -- --help says what there is, and where the data is that npm start keeps', async () => {
  const { stdout } = await run(process.execPath, [join(import.meta.dirname, 'cli.ts'), '--help'])
  for (const command of ['backup', 'restore', 'export', 'import', 'integrity', 'stats'])
    expect(stdout).toContain(command)
  expect(stdout).toContain('.batti/db')
})
