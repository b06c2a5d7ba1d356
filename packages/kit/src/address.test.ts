import fc from 'fast-check'
import { BlockList, isIPv6 } from 'node:net'
import { describe, expect, it, test } from 'vitest'
import { addressGroup, isLocalHost, isLoopback, localHttpHost, plainAddress, urlHost } from './address.ts'

describe('the canonical form of an address', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:192.0.2.1', '192.0.2.1'],
    ['[::ffff:c000:201]', '192.0.2.1'],
    ['2001:DB8::1', '2001:db8::1'],
    ['2001:0db8:0:0:0::1', '2001:db8::1'],
    ['2001:db8:0:1:0:0:0:1', '2001:db8:0:1::1'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['0:0:0:0:0:0:0:0', '::'],
    ['1::', '1::'],
    ['1:0:0:2:0:0:3:4', '1::2:0:0:3:4'],
    ['[::1]', '::1'],
    ['Board.Local', 'board.local'],
    // Not an address: unchanged.
    ['1:2:3', '1:2:3'],
    ['::ffff:999.0.2.1', '::ffff:999.0.2.1'],
    ['1::2::3', '1::2::3'],
    ['1:2:3:4::5:6:7:8::9', '1:2:3:4::5:6:7:8::9'],
    ['FD00:G::1', 'fd00:g::1'],
    ['FD00::G', 'fd00::g'],
    // Only behind zeros is it IPv4.
    ['1::ffff:7f00:1', '1::ffff:7f00:1'],
    ['0:1::ffff:7f00:1', '0:1::ffff:7f00:1'],
    ['', '']
  ])('%s is %s', (host, plain) => expect(plainAddress(host)).toBe(plain))

  it('is what a browser shows, for every IPv6 address', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const plain = plainAddress(address)
        if (!plain.includes(':')) return
        expect(`[${plain}]`).toBe(new URL(`http://[${address}]/`).hostname)
        expect(isIPv6(plain)).toBe(true)
      })
    )
  })
})

describe('addresses that count as one client', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:aaaa::1', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:bbbb:1:2:3', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:1:2::/64', '2001:db8:1:2::/64'],
    ['::1', '::1'],
    ['no address', 'no address']
  ])('%s counts as %s', (address, group) => expect(addressGroup(address)).toBe(group))
})

const local = [
  'localhost',
  'home.localhost',
  '127.0.0.1',
  '10.0.0.7',
  '172.16.3.4',
  '172.31.255.1',
  '192.168.4.1',
  '169.254.10.1',
  '100.64.0.1',
  '100.127.255.254',
  '::1',
  '[fe80::1]',
  'febf::1',
  '[fd12:3456::1]',
  'fdff::1',
  '::ffff:192.168.4.1',
  'board.local',
  'My.Board.Local',
  'batti.home.arpa',
  'batti.lan',
  'nas',
  `${'a'.repeat(249)}.lan`
]
const elsewhere = [
  '',
  '.',
  '8.8.8.8',
  '8.16.0.1',
  '8.64.0.1',
  '8.168.0.1',
  '8.254.0.1',
  '10.0.0',
  '10.0.0.1.1',
  '010.0.0.1',
  '10.0.0.256',
  '169.253.0.1',
  '172.32.0.1',
  '192.169.0.1',
  '100.128.0.1',
  '0.0.0.0',
  '999.168.4.1',
  '2001:db8::1',
  'fec0::1',
  '::ffff:8.8.8.8',
  'example.com',
  'board.local.example.com',
  '192.168.4.1.example.com',
  'fe80.example.com',
  '10.evil.example',
  '134744072',
  '0x08080808',
  "board.local; script-src 'unsafe-inline'",
  'board.local/x',
  `${'a'.repeat(250)}.lan`
]
describe('the local network', () => {
  it.each(local)('includes %s', (host) => expect(isLocalHost(host)).toBe(true))
  it.each(elsewhere)('does not include %j', (host) => expect(isLocalHost(host)).toBe(false))

  it('is the networks of RFC 1918, 6598, 3927, 4193 and 4291', () => {
    const list = new BlockList()
    for (const [net, bits] of [
      ['127.0.0.0', 8],
      ['10.0.0.0', 8],
      ['172.16.0.0', 12],
      ['192.168.0.0', 16],
      ['169.254.0.0', 16],
      ['100.64.0.0', 10]
    ] as const)
      list.addSubnet(net, bits)
    for (const [net, bits] of [
      ['::1', 128],
      ['fc00::', 7],
      ['fe80::', 10]
    ] as const)
      list.addSubnet(net, bits, 'ipv6')
    const near = fc.constantFrom('10.', '100.', '127.', '169.254.', '172.', '192.168.', '192.', '')
    const ipv4 = fc.tuple(near, fc.ipV4()).map(([start, rest]) => `${start}${rest}`.split('.').slice(0, 4).join('.'))
    fc.assert(
      fc.property(ipv4, (address) => {
        expect(isLocalHost(address)).toBe(list.check(address))
      })
    )
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const plain = plainAddress(address)
        expect(isLocalHost(address)).toBe(list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4'))
      })
    )
  })

  it('is distinguished from this machine itself', () => {
    expect(['localhost', '127.8.0.1', '::1', '[::1]', '::ffff:127.0.0.1'].every(isLoopback)).toBe(true)
    expect(['192.168.4.1', 'board.local', '128.0.0.1', 'fe80::1', '127.example.com'].some(isLoopback)).toBe(false)
  })
})

test('a host is written in a URL so that it can be opened', () => {
  expect(['::1', '[::1]', '192.168.4.1', '0.0.0.0', '::', 'fe80::7%eth0', 'nas'].map(urlHost)).toEqual([
    '[::1]',
    '[::1]',
    '192.168.4.1',
    '127.0.0.1',
    '127.0.0.1',
    '[fe80::7]',
    'nas'
  ])
})

describe('a typed address of a board', () => {
  it.each([
    ['192.168.4.1', '192.168.4.1'],
    [' http://192.168.4.1/ ', '192.168.4.1'],
    ['10.0.0.7:8080', '10.0.0.7:8080'],
    ['127.0.0.1:53081', '127.0.0.1:53081'],
    ['localhost:81', 'localhost:81'],
    ['batti-0c51e2.local', 'batti-0c51e2.local'],
    ['my.board.local:81', 'my.board.local:81'],
    ['[fe80::1]:80', '[fe80::1]'],
    ['[fd12:3456::1]:8080', '[fd12:3456::1]:8080'],
    // Unusual spellings of a local address are that address.
    ['3232236545', '192.168.4.1']
  ])('%s is %s', (typed, host) => expect(localHttpHost(typed)).toBe(host))

  it.each([
    '',
    '8.8.8.8',
    'example.com',
    '134744072',
    'https://192.168.4.1',
    'https:443',
    'http://user@192.168.4.1',
    'http://:pass@192.168.4.1',
    '192.168.4.1@evil.example',
    '192.168.4.1/elsewhere',
    '192.168.4.1?x=1',
    '192.168.4.1#x',
    '[2001:db8::1]',
    '[::ffff:8.8.8.8]',
    'javascript:alert(1)',
    "192.168.4.1; script-src 'unsafe-inline'"
  ])('%s is refused', (typed) => expect(localHttpHost(typed)).toBeNull())
})
