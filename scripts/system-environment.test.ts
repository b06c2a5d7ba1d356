import { runToEnd } from '@batti/kit/node/testing'
import { expect, it } from 'vitest'
import { rootDir, vitest } from './run-command.ts'

it('what the tests start inherits no settings of the shell', () => {
  const settings = {
    ADMIN_EMAIL: 'a@b.np',
    ADMIN_PASSWORD: 'x',
    SMTP_URL: 'smtp://x',
    HOST: '0.0.0.0',
    BRAND: 'northwind'
  }
  const inner = runToEnd(
    process.execPath,
    [
      ...vitest,
      'run',
      '--project',
      'node',
      'scripts/system-environment.test.ts',
      '-t',
      'the environment of a test contains'
    ],
    { env: { ...process.env, ...settings }, cwd: rootDir }
  )
  expect(inner.stdout + inner.stderr).toContain('1 passed')
})

it("the environment of a test contains only the system's variables", () => {
  const { ADMIN_EMAIL, ADMIN_PASSWORD, SMTP_URL, HOST, BRAND, PATH } = process.env
  expect([ADMIN_EMAIL, ADMIN_PASSWORD, SMTP_URL, HOST, BRAND]).toEqual(Array(5).fill(undefined))
  expect(PATH).toBeDefined()
})
