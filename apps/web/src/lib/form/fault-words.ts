import { fieldErrors } from '#web/lib/api/api-error.ts'
import type { MessageId } from '#web/i18n/message-id.ts'
import type { Text } from '#web/lib/i18n/use-text.ts'

/** Sentences of the contracts' rules that need no figure. English says them as the rule does. */
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
  'must be a whole number': 'rules.whole',
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
  [/^Number of fan indexes must exactly match number of fans \((\d+)\)$/, 'rules.fanIndexes'],
  [/^Number of socket indexes must exactly match number of sockets \((\d+)\)$/, 'rules.socketIndexes']
]

/** What a rule of the contracts, or the server, says about a field, in the chosen language where it is known there. */
export function faultWords(t: Text, message: string): string {
  const id = Object.hasOwn(sentences, message) ? sentences[message] : undefined
  if (id !== undefined) return t(id)
  for (const [shape, withFigure] of figures) {
    const count = shape.exec(message)?.[1]
    if (count !== undefined) return t(withFigure, { count: Number(count) })
  }
  return message
}

/** What the server said of each field, in the chosen language where it is known there. */
export function faultsOf(t: Text, error: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(fieldErrors(error)).map(([path, message]) => [path, faultWords(t, message)]))
}
