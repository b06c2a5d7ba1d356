import express from 'express'
import supertest from 'supertest'
import { expect, test } from 'vitest'
import { faultPage, isReadByPerson } from './fault-page.ts'

test.each([
  ['an address that does not exist', 'NOT_FOUND', '/'],
  ['a link that has expired', 'FORBIDDEN', '/'],
  ['an address that is too long', 'URI_TOO_LONG', '/'],
  ['an address that cannot be decoded', 'VALIDATION', '/'],
  ['a block, which can end', 'IP_BLOCKED', ''],
  ['too many requests', 'TOO_MANY_REQUESTS', ''],
  ['a server that is not ready', 'UNAVAILABLE', ''],
  ['a fault of the server', 'INTERNAL', '']
] as const)('the link of a page about %s is one that helps', (_what, code, href) => {
  expect(/<a href="([^"]*)">/.exec(faultPage(code, 'No.', 'id'))?.[1]).toBe(href)
})

test.each([
  ['/user/home', true],
  ['/api/v1/no-such-call', false],
  ['/API/v1/no-such-call', false],
  ['/api/v1', false],
  ['/api/v1?page=1', false],
  ['/api/v10', true]
])('a browser that opens %s gets a page: %s', async (path, isPage) => {
  const app = express().use((req, res) => void res.json(isReadByPerson(req)))
  expect((await supertest(app).get(path).set('Accept', 'text/html,*/*;q=0.8')).body).toBe(isPage)
})
