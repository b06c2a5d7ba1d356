import { aMac } from './a-mac.ts'

/** The body with which a board asks for credentials, as `POST /device-auth` takes it. */
export const deviceAuth = (
  userId: string,
  board: { mac?: string; deviceCode?: string; hwModel?: string; deviceToken?: string } = {}
) => ({
  userId,
  deviceMac: board.mac ?? aMac(),
  deviceCode: board.deviceCode ?? 'BT4',
  hwModel: board.hwModel ?? 'batti-wall-4',
  osVersion: '1.4.2',
  nonce: 'n',
  ...(board.deviceToken === undefined ? {} : { deviceToken: board.deviceToken })
})
