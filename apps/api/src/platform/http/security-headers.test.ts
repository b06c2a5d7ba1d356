import { describe, expect, it } from 'vitest'
import { setupTarget } from './security-headers.ts'

describe('the address of a board in setup mode', () => {
  it.each([
    '192.168.4.1',
    '10.0.0.7:8080',
    '172.16.3.4',
    '169.254.1.1',
    '127.0.0.1:51234',
    'localhost:80',
    'batti-a1.local'
  ])('may be %s', (host) => {
    expect(setupTarget(host)).toBe(`http://${host}`)
  })
  it.each([
    '8.8.8.8',
    'evil.example',
    '172.32.0.1',
    '192.168.4.1.evil.example',
    "192.168.4.1; script-src 'unsafe-inline'",
    '192.168.4.1/x',
    '',
    undefined,
    ['10.0.0.1']
  ])('may not be %j', (host) => {
    expect(setupTarget(host)).toBeNull()
  })
})
