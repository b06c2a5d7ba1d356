import { expect, test } from 'vitest'
import { createOwnHosts, isLoopbackHost } from './own-hosts.ts'

const isOwn = createOwnHosts({
  publicUrl: 'https://home.example.com',
  host: '0.0.0.0',
  allowed: ['192.168.1.7', 'Box.local']
})

test.each([
  ['home.example.com', true],
  ['HOME.example.com:8443', true],
  ['localhost:49998', true],
  ['127.0.0.1', true],
  ['127.9.9.9:1', true],
  ['[::1]:49998', true],
  ['192.168.1.7:49998', true],
  ['box.local', true],
  ['evil.example', false],
  ['home.example.com.evil.example', false],
  ['localhost.evil.example', false],
  ['127.0.0.1.evil.example', false],
  ['192.168.1.8', false],
  ['0.0.0.0', false],
  ['', false],
  ['a b', false],
  ['user@localhost', false]
])('the Host %j is our own: %s', (host, expected) => {
  expect(isOwn(host)).toBe(expected)
})

test('a server that listens on one IPv6 address answers to that address', () => {
  const isIts = createOwnHosts({ publicUrl: undefined, host: 'fd00::7', allowed: [] })
  expect(['[fd00::7]', '[fd00::7]:49998', '[fd00::8]'].map(isIts)).toEqual([true, true, false])
})

test('only names and addresses of this machine are loopback', () => {
  expect(['localhost:1', '127.0.0.1', '[::1]'].every(isLoopbackHost)).toBe(true)
  expect(['home.example.com', '192.168.1.7', '', '127.0.0.1.evil.example'].some(isLoopbackHost)).toBe(false)
})
