import { fieldErrors } from '#web/lib/api/api-error.ts'
import type { MessageId } from '#web/i18n/message-id.ts'
import type { Text } from '#web/lib/i18n/use-text.ts'

/** Messages of the contracts' rules without a number. The English text is that of the rule. */
const sentences: Readonly<Record<string, MessageId>> = {
  'is required': 'rules.required',
  'SSID is required': 'rules.ssid',
  'Password is required': 'rules.wifiPassword',
  'SSID is at most 32 bytes: letters outside A to Z take two or three each': 'rules.ssidBytes',
  'must be at most 32 bytes: letters outside A to Z take two or three each': 'rules.wifiNameBytes',
  'must have at least 8 characters, as every Wi-Fi password has': 'rules.wifiPasswordShort',
  'Room name is required': 'rules.roomName',
  "Name can't be empty": 'rules.switchName',
  'Role is required.': 'rules.role',
  'Phone number must be exactly 10 digits.': 'rules.tenDigits',
  'Please enter an email such as sita@example.com.': 'rules.email',
  'Please enter a phone number with country code such as +9779812345678.': 'rules.phone',
  'is not a known device type': 'rules.deviceType',
  'must lie in the future': 'rules.future',
  'must be a host name or address alone, such as batti.local or 192.168.1.20': 'rules.host',
  'must be a MAC address such as 34:98:7A:0C:51:E2': 'rules.mac',
  "must be the board's own address, not all zeros and not all F": 'rules.ownMac',
  'is not a known time zone such as Asia/Kathmandu': 'rules.zone',
  'must be a whole number': 'rules.whole',
  'must be a JSON array of whole numbers such as [2,3]': 'rules.indexes',
  'must not contain line breaks or control characters': 'rules.oneLine',
  'Start time, start action, end time, and end action are required.': 'rules.scheduleTimes',
  'You must provide switchId and switchIndex to set a schedule!': 'rules.scheduleSwitch'
}
const figures: readonly [RegExp, MessageId][] = [
  [/^must be at most (\d+) characters$/, 'rules.atMostCharacters'],
  [/^SSID is at most (\d+) characters$/, 'rules.ssidLong'],
  [/^Password is at most (\d+) characters$/, 'rules.wifiPasswordLong'],
  [/^Password must be at least (\d+) characters\.$/, 'rules.passwordShort'],
  [/^Password must be at most (\d+) characters\.$/, 'rules.passwordLong'],
  [/^must be at least (-?\d+)$/, 'rules.atLeast'],
  [/^must be at most (-?\d+)$/, 'rules.atMost'],
  [/^must be at most (\d+) labels$/, 'rules.labels'],
  [/^Number of fan indexes must exactly match number of fans \((\d+)\)$/, 'rules.fanIndexes'],
  [/^Number of socket indexes must exactly match number of sockets \((\d+)\)$/, 'rules.socketIndexes']
]

/** Translates a message of a contract rule, or of the server, about a field, if a translation exists. */
export function faultWords(t: Text, message: string): string {
  const id = Object.hasOwn(sentences, message) ? sentences[message] : undefined
  if (id !== undefined) return t(id)
  for (const [shape, withFigure] of figures) {
    const count = shape.exec(message)?.[1]
    if (count !== undefined) return t(withFigure, { count: Number(count) })
  }
  return message
}

/** Translates the server's message for each field, if a translation exists. */
export function faultsOf(t: Text, error: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(fieldErrors(error)).map(([path, message]) => [path, faultWords(t, message)]))
}
