import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { clientAddress, plainForwardedFor, requestedHost } from './client-address.ts'

const proxy = '10.0.0.1'
const trust = (address: string): boolean => address === proxy
const addressBy = (forwarded: string): string => {
  const request = { headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress: proxy } }
  return clientAddress(request as unknown as IncomingMessage, trust)
}

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:4711, 10.0.0.1', '203.0.113.7'],
  ['[2001:DB8::7]:443', '2001:db8::7'],
  ['2001:db8::7', '2001:db8::7']
])('%s is %s', (forwarded, address) => expect(addressBy(forwarded)).toBe(address))

test.each([
  ['a word', 'unknown'],
  ['a text without end', 'x'.repeat(8000)],
  ['what only looks like one', '999.1.1.1'],
  ['what a stranger wrote before it', '203.0.113.7, _hidden']
])('%s is not an address: all such clients count as one, and none is stored', (_what, forwarded) => {
  expect(addressBy(forwarded)).toBe('unknown')
})

const requestOf = (remoteAddress: string, headers: Record<string, string>): IncomingMessage =>
  ({ headers, socket: { remoteAddress } }) as unknown as IncomingMessage

test('a stranger is known by the address of the connection, whatever its headers say', () => {
  const headers = { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-host': 'evil.example', host: 'batti.local' }
  const request = requestOf('198.51.100.9', headers)
  expect([clientAddress(request, trust), requestedHost(request, trust)]).toEqual(['198.51.100.9', 'batti.local'])
})

test.each([{}, { 'x-forwarded-for': '' }, { 'x-forwarded-for': ' , ' }])(
  'a proxy that forwards for nobody is known by its own: %j',
  (headers) => expect(clientAddress(requestOf(proxy, headers), trust)).toBe(proxy)
)

test('of several proxies the nearest address counts that is none, each asked for with its distance', () => {
  const hops: [string, number][] = []
  const request = requestOf(proxy, { 'x-forwarded-for': '203.0.113.1, 203.0.113.7, 10.0.0.1' })
  const trustHops = (address: string, hop: number): boolean => {
    hops.push([address, hop])
    return address === proxy
  }
  expect(clientAddress(request, trustHops)).toBe('203.0.113.7')
  expect(hops).toEqual([
    ['10.0.0.1', 0],
    ['10.0.0.1', 1],
    ['203.0.113.7', 2]
  ])
})

test.each([
  [{ 'x-forwarded-host': 'home.example, inner', host: 'batti.local' }, 'home.example'],
  [{ 'x-forwarded-host': ' ', host: 'batti.local' }, 'batti.local'],
  [{ host: 'batti.local' }, 'batti.local'],
  [{}, '']
])('behind a proxy the host that was asked for by %j is %j', (headers, host) =>
  expect(requestedHost(requestOf(proxy, headers), (address, hop) => address === proxy && hop === 0)).toBe(host)
)

test('Express reads the same addresses, and no header where none came', () => {
  const read = (headers: Record<string, string>) => {
    let went = 0
    const request = requestOf(proxy, headers)
    void plainForwardedFor(request as never, {} as never, () => void (went += 1))
    expect(went).toBe(1)
    return request.headers
  }
  expect(read({ 'x-forwarded-for': '203.0.113.7:4711,, _hidden' })).toEqual({
    'x-forwarded-for': '203.0.113.7, unknown'
  })
  expect(read({ 'x-forwarded-for': '203.0.113.7:4711' })).toEqual({ 'x-forwarded-for': '203.0.113.7' })
  expect(read({})).toEqual({})
})
