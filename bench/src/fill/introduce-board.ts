import { randomBytes } from 'node:crypto'
import type { Client } from '@batti/client/client'
import { createDeviceClaim, deviceAuth, deviceMac } from '@batti/contracts'

export interface PairedBoard {
  mac: string
  deviceId: string
  password: string
}

/** Pairs a board with a code that `owner` creates. Returns the board with its password. */
export async function introduceBoard(owner: Client, mac: string): Promise<PairedBoard> {
  const { userId } = await owner.call(createDeviceClaim, { body: {} })
  const { deviceId, mqttPassword: password } = await owner.call(deviceAuth, {
    body: {
      userId,
      deviceMac: deviceMac.parse(mac),
      deviceCode: 'BT4',
      hwModel: 'batti-wall-4',
      osVersion: '1.4.0',
      nonce: randomBytes(12).toString('hex')
    }
  })
  return { mac, deviceId, password }
}
