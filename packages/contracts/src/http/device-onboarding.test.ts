import { expect, it } from 'vitest'
import { deviceAuthRequest } from './device-onboarding.ts'

it('control characters are removed from what a board reports at its setup, and the setup succeeds', () => {
  const request = {
    userId: 'f'.repeat(24),
    deviceMac: '34:98:7A:0C:51:E2',
    deviceCode: 'BT4',
    hwModel: 'w',
    nonce: 'n'
  }
  const said = deviceAuthRequest.parse({ ...request, osVersion: '1.4\u202e.0\n', activeColor: 'Aqua\u0000 Blue' })
  expect(said).toMatchObject({ osVersion: '1.4.0', activeColor: 'Aqua Blue' })
})
