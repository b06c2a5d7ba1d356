import { testFolder } from '@batti/kit/node/testing'
import { existsSync, readFileSync, statSync, utimesSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { internalPasswordMarksPath } from '@batti/contracts/http/own-paths'
import { expect, onTestFinished, test } from 'vitest'
import type { Account } from './closing-block.ts'
import { knownAccounts } from './known-accounts.ts'

const admin: Account = { role: 'admin', email: 'admin@example.com', password: 'made by us' }
const sita: Account = { role: 'user', email: 'sita@example.com', password: 'made by us, too' }

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = ''
  for await (const part of request) text += String(part)
  return JSON.parse(text) as Record<string, unknown>
}

/** An api with these passwords, which records who tried to log in. */
async function setUp() {
  const passwords = new Map([admin, sita].map(({ email, password }) => [email, password]))
  const api = { passwords, logins: [] as string[], logouts: 0, markCalls: 0, tellsMarks: true, refusesWith: 0 }
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const say = (status: number, said: object) => response.writeHead(status).end(JSON.stringify(said))
      if (request.url === internalPasswordMarksPath) {
        const isAsked = api.tellsMarks && request.headers.authorization === 'Bearer secret'
        api.markCalls += 1
        const emails = body['emails'] as string[]
        const marks = Object.fromEntries(emails.map((email) => [email, `mark of ${passwords.get(email)}`]))
        return say(isAsked ? 200 : 404, { marks })
      }
      if (request.url?.endsWith('/logout') === true) {
        if (body['refreshToken'] === 'x') api.logouts += 1
        return say(200, {})
      }
      api.logins.push(String(body['email']))
      if (api.refusesWith > 0) return say(api.refusesWith, {})
      return say(passwords.get(String(body['email'])) === body['password'] ? 200 : 401, { data: { refreshToken: 'x' } })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const folder = testFolder('known')
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const file = join(folder, 'known-accounts.json')
  const ask = (isOwn = true, accounts = [admin, sita]) =>
    knownAccounts(accounts, { base, internal: { base, secret: 'secret' }, file, isOwn: () => isOwn })
  return { api, file, ask, close: () => server.close() }
}

test('where there is no account to print, as in production, the api is not asked', async () => {
  const { api, file, ask } = await setUp()
  expect(await ask(true, [])).toEqual({ known: [], untried: [] })
  expect([api.markCalls, existsSync(file)]).toEqual([0, false])
})

test('an account that could log in once is not tried again, and leaves no session', async () => {
  const { api, file, ask } = await setUp()
  expect(await ask()).toEqual({ known: [admin, sita], untried: [] })
  expect([api.logins.toSorted(), api.logouts]).toEqual([[admin.email, sita.email], 2])
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8')).not.toContain('made by us')
  const longAgo = new Date('2026-01-01T00:00:00Z')
  utimesSync(file, longAgo, longAgo)
  expect(await ask()).toEqual({ known: [admin, sita], untried: [] })
  expect(api.logins).toHaveLength(2)
  // What has not changed is not written again: the disk may be an SD card.
  expect(statSync(file).mtime).toEqual(longAgo)
})

test('a password that was changed, there or in the settings, is tried and found to differ', async () => {
  const { api, ask } = await setUp()
  await ask()
  api.passwords.set(sita.email, 'her own')
  expect(await ask()).toEqual({ known: [admin], untried: [] })
  expect(await ask(true, [{ ...admin, password: 'from the settings' }])).toEqual({ known: [], untried: [] })
  expect(api.logins.slice(2)).toEqual([sita.email, admin.email])
  api.passwords.set(sita.email, sita.password)
  expect(await ask()).toEqual({ known: [admin, sita], untried: [] })
})

test('a password that a person chose is not stored, nor is one when the api reports no marks', async () => {
  const { api, ask } = await setUp()
  for (const [index, isOwn] of [false, false, true, true].entries()) {
    api.tellsMarks = index < 2
    expect(await ask(isOwn, [admin])).toEqual({ known: [admin], untried: [] })
  }
  expect(api.logins).toHaveLength(4)
})

test('an api that is overloaded or does not answer does not mean that the account is missing', async () => {
  const { api, ask, close } = await setUp()
  for (const status of [500, 503, 429]) {
    api.refusesWith = status
    expect(await ask()).toEqual({ known: [], untried: [admin, sita] })
  }
  api.refusesWith = 0
  expect(await ask()).toEqual({ known: [admin, sita], untried: [] })
  close()
  const other = { ...sita, email: 'other@example.com' }
  expect(await ask(true, [other])).toEqual({ known: [], untried: [other] })
})
