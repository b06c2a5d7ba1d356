import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { deviceSetupPage, setupTarget } from './security-headers.ts'

describe('the address of a board in setup mode', () => {
  it('is a form target where it is in the local network', () => {
    expect(setupTarget('10.0.0.7:8080')).toBe('http://10.0.0.7:8080')
    expect(setupTarget('My.Board.local:81')).toBe('http://my.board.local:81')
  })
  it('as IPv6 is any host at its port, for sources cannot say IPv6', () => {
    expect(setupTarget('[fe80::1]')).toBe('http://*:80')
    expect(setupTarget('[fd12:3456::1]:8080')).toBe('http://*:8080')
    expect(setupTarget('[2001:db8::1]')).toBeNull()
  })
  it.each(['8.8.8.8', "192.168.4.1; script-src 'unsafe-inline'", '192.168.4.1/x', '', undefined, ['10.0.0.1']])(
    'may not be %j',
    (host) => expect(setupTarget(host)).toBeNull()
  )
})

it('gives its wider policy to the pages that the service worker leaves alone, which no build can tell it', () => {
  const worker = readFileSync(join(import.meta.dirname, '../../../../web/public/sw.js'), 'utf8')
  expect(worker).toContain(`const setupPage = ${String(deviceSetupPage)}\n`)
})
