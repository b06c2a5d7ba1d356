import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApi, type TestApi } from '../../testing/test-api.ts'
import { testPassword, bearer, logIn, newAddresses, signUp } from '../../testing/people.ts'
import { testSecrets } from '../../testing/test-secrets.ts'

let app: TestApi
beforeAll(async () => {
  app = await startApi()
})
afterAll(() => app.stop())

/** Runs the command with the password on its standard input. */
function command(parameters: string[], input: string): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [resolve(import.meta.dirname, 'admin-cli.ts'), ...parameters], {
    env: {
      PATH: process.env['PATH'] ?? '',
      ...testSecrets(),
      MONGODB_URI: app.uri,
      LOG_LEVEL: 'silent',
      BCRYPT_COST: '4'
    }
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stdin.on('error', () => undefined)
  child.stdin.end(`${input}\n`)
  return new Promise((done) => child.on('close', (code) => done({ code, output })))
}

test('the command creates an admin who can log in, and refuses a common password', async () => {
  const { email } = newAddresses()
  const refused = await command(['create', '--email', email], 'password123')
  expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('easy to guess') })
  expect((await command(['create', '--email', email, '--name', 'Chief'], testPassword)).code).toBe(0)
  const chief = await logIn(app, email)
  expect(chief.user).toMatchObject({ name: 'Chief', role: 'admin' })
})

test('the command makes an existing account an admin, and keeps its password', async () => {
  const person = await signUp(app)
  expect((await command(['create', '--email', person.email], 'not its password 1')).code).toBe(0)
  await app.http
    .get('/api/v1/users')
    .set(...bearer(person))
    .expect(200)
  expect((await logIn(app, person.email)).user.role).toBe('admin')
})

test('without an address the command explains its use', async () => {
  expect(await command(['create'], '')).toMatchObject({ code: 2, output: expect.stringContaining('--email') })
})
