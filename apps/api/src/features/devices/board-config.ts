import { defaultHttpPort, type ConfigUpdatePayload } from '@batti/contracts'
import type { DeviceDocument, DeviceInput } from '../../boards/registry/device.model.ts'
import type { SecretBox } from '../../platform/store/secret-box.ts'

type BoardSettings = Pick<
  DeviceDocument,
  | '_id'
  | 'configRev'
  | 'activeColor'
  | 'timezone'
  | 'wifiSSID'
  | 'wifiPassword'
  | 'serverUrl'
  | 'serverPort'
  | 'mqttPort'
>

/** Builds the settings messages for boards. The Wi-Fi password is sealed in the database, bound to its board. */
export function createBoardConfig(secrets: SecretBox, trustedCa: () => string = () => '') {
  const wifiContext = (id: string): string => `device:${id}:wifiPassword`

  /** Returns undefined if there is none, or it can no longer be opened. */
  function openWifiPassword({ _id, wifiPassword }: Pick<DeviceDocument, '_id' | 'wifiPassword'>): string | undefined {
    return wifiPassword === '' ? undefined : (secrets.open(wifiPassword, wifiContext(String(_id))) ?? undefined)
  }

  /** Returns what a board must be told of a change; null if nothing concerns it. */
  function configOf(document: BoardSettings, changed: DeviceInput): ConfigUpdatePayload | null {
    const payload: ConfigUpdatePayload = { rev: document.configRev }
    if (changed.activeColor !== undefined) payload.activeColor = document.activeColor
    if (changed.timezone !== undefined) payload.timezone = document.timezone
    const wantsWifi = changed.wifiSSID !== undefined || changed.wifiPassword !== undefined
    // A password whose key is gone is not sent as empty: the board would lose its network.
    const password = document.wifiPassword === '' ? '' : openWifiPassword(document)
    if (wantsWifi && document.wifiSSID !== '' && password !== undefined) {
      payload.wifi = { ssid: document.wifiSSID, password }
    }
    const { serverUrl: host, serverPort, mqttPort } = document
    const movesHost = changed.serverUrl !== undefined
    if (host !== '' && (movesHost || changed.serverPort !== undefined))
      payload.api = { host, port: serverPort ?? defaultHttpPort }
    const caPem = trustedCa()
    const ca = caPem === '' ? null : { caPem }
    // Both addresses share one host: a board that was told only one would be split between two servers.
    if (host !== '' && mqttPort !== null && (movesHost || changed.mqttPort !== undefined))
      payload.mqtt = { host, port: mqttPort, ...ca }
    else if (changed.mqttPort !== undefined && ca !== null) payload.mqtt = ca
    return Object.keys(payload).length === 1 ? null : payload
  }

  return {
    configOf,
    openWifiPassword,
    sealWifiPassword: (id: string, password: string): string => secrets.seal(password, wifiContext(id))
  }
}
export type BoardConfig = ReturnType<typeof createBoardConfig>

/** Returns all settings that a board may have missed while offline. */
export function onlySettings({
  activeColor,
  timezone,
  wifiSSID,
  serverUrl,
  serverPort,
  mqttPort
}: DeviceDocument): DeviceInput {
  return { activeColor, timezone, wifiSSID, serverUrl, serverPort, mqttPort }
}

/** Returns the fields that would really change. */
export function onlyChanges(document: DeviceDocument, fields: DeviceInput): DeviceInput {
  const before = new Map<string, unknown>(Object.entries(document))
  const changed = Object.entries(fields).filter(
    ([field, value]) => field !== 'updatedBy' && asText(before.get(field)) !== asText(value)
  )
  return Object.fromEntries(changed)
}

const asText = (value: unknown): string => (value === null || value === undefined ? '' : JSON.stringify(value))
