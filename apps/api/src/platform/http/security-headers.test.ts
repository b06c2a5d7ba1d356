import { describe, expect, it } from 'vitest'
import { setupTarget } from './security-headers.ts'

describe('the address of a board in setup mode', () => {
  it('is a form target where it is in the local network', () => {
    expect(setupTarget('10.0.0.7:8080')).toBe('http://10.0.0.7:8080')
    expect(setupTarget('Batti-A1.local')).toBe('http://batti-a1.local')
  })
  it.each(['8.8.8.8', "192.168.4.1; script-src 'unsafe-inline'", '192.168.4.1/x', '', undefined, ['10.0.0.1']])(
    'may not be %j',
    (host) => expect(setupTarget(host)).toBeNull()
  )
})
