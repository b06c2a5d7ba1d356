import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { refusalOf } from './wall-guard.ts'

const foreignName = 'This address is not the wall’s.'
const foreignSite = 'Another site may not press buttons here.'
const refusal = (method: string, headers: IncomingHttpHeaders, boundHost = '127.0.0.1') =>
  refusalOf({ method, headers } as IncomingMessage, boundHost)

describe('the name that a request asks for', () => {
  it.each([
    ['127.0.0.1:42000', null],
    ['192.168.1.7', null],
    ['[::1]:42000', null],
    ['localhost:42000', null],
    ['LOCALHOST', null],
    ['wall.local', null],
    ['evil.example', foreignName],
    ['localhost.evil.example', foreignName],
    ['127.0.0.1.evil.example', foreignName],
    ['a b', foreignName],
    ['', foreignName],
    [undefined, foreignName]
  ])('%j is answered with %j', (host, answer) => {
    expect(refusal('GET', host === undefined ? {} : { host }, 'Wall.local')).toBe(answer)
  })
})

describe('a page', () => {
  const host = '127.0.0.1:42000'
  const own = { host, origin: `http://${host}` }

  it.each([
    ['of the wall presses buttons', 'POST', own, null],
    ['that is none, such as a script, presses buttons', 'POST', { host }, null],
    ['of another site presses none', 'POST', { host, origin: 'https://evil.example' }, foreignSite],
    ['of another port presses none', 'POST', { host, origin: 'http://127.0.0.1:1' }, foreignSite],
    ['of the wall’s address over TLS presses none', 'POST', { host, origin: `https://${host}` }, foreignSite],
    ['without a name presses none', 'POST', { host, origin: 'null' }, foreignSite],
    ['of another site presses none without an origin', 'DELETE', { host, 'sec-fetch-site': 'cross-site' }, foreignSite],
    ['of the wall says so', 'POST', { ...own, 'sec-fetch-site': 'same-origin' }, null],
    ['of another site may link here', 'GET', { host, 'sec-fetch-site': 'cross-site' }, null],
    ['of another site may ask for the head', 'HEAD', { host, origin: 'https://evil.example' }, null]
  ])('%s', (_what, method, headers, answer) => expect(refusal(method, headers)).toBe(answer))
})
