import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { DeviceDocument } from '../../boards/registry/device.model.ts'
import { createSecretBox } from '../../platform/store/secret-box.ts'
import { createBoardConfig } from './board-config.ts'

const newKey = (): string => randomBytes(32).toString('base64')

test('a Wi-Fi password whose key is missing is not sent to the board as an empty one', () => {
  const config = createBoardConfig(createSecretBox({ key: newKey() }))
  const foreign = createBoardConfig(createSecretBox({ key: newKey() })).sealWifiPassword('1', 'seven locks')
  const board = (wifiPassword: string) =>
    ({ _id: '1', configRev: 3, wifiSSID: 'Home', wifiPassword, serverUrl: '' }) as unknown as DeviceDocument
  const configFor = (wifiPassword: string) => config.configOf(board(wifiPassword), { wifiSSID: 'Home' })

  expect(configFor(config.sealWifiPassword('1', 'seven locks'))?.wifi).toEqual({
    ssid: 'Home',
    password: 'seven locks'
  })
  expect(configFor('')?.wifi).toEqual({ ssid: 'Home', password: '' })
  expect(configFor(foreign)).toBeNull()
})
