import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { DeviceDocument } from '../../boards/registry/device.model.ts'
import { createSecretBox } from '../../platform/store/secret-box.ts'
import { createBoardConfig, onlySettings } from './board-config.ts'

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
  const sealed = config.sealWifiPassword('1', 'eight locks')
  expect(config.configOf(board(sealed), { wifiPassword: sealed })?.wifi).toEqual({
    ssid: 'Home',
    password: 'eight locks'
  })
  expect(configFor('')?.wifi).toEqual({ ssid: 'Home', password: '' })
  expect(configFor(foreign)).toBeNull()
})

test('a board is told addresses only of a server that was entered, and always the CA', () => {
  const secrets = createSecretBox({ key: newKey() })
  const board = (server: Partial<DeviceDocument>) =>
    ({ configRev: 3, activeColor: 'green', wifiSSID: '', wifiPassword: '', ...server }) as DeviceDocument
  const told = (server: Partial<DeviceDocument>, ca?: string) => {
    const document = board(server)
    const config = createBoardConfig(secrets, ca === undefined ? undefined : () => ca)
    return config.configOf(document, onlySettings(document))
  }
  const none = { serverUrl: '', serverPort: null, mqttPort: null }
  const own = { serverUrl: 'batti.example', serverPort: null, mqttPort: 8883 }
  expect(told(none)).toEqual({ rev: 3, activeColor: 'green' })
  expect(told(own)).toMatchObject({
    api: { host: 'batti.example', port: 49_998 },
    mqtt: { host: 'batti.example', port: 8883 }
  })
  expect(told(own)?.mqtt).not.toHaveProperty('caPem')
  expect(told(own, 'CA')?.mqtt).toEqual({ host: 'batti.example', port: 8883, caPem: 'CA' })
  expect(told({ ...own, mqttPort: null }, 'CA')?.mqtt).toEqual({ caPem: 'CA' })
  expect(told(none, 'CA')).toEqual({ rev: 3, activeColor: 'green', mqtt: { caPem: 'CA' } })
})
