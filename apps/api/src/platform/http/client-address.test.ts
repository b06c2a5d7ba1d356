import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { clientAddress } from './client-address.ts'

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
