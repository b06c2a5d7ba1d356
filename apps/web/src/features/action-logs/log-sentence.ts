import type { MessageId } from '#web/i18n/message-id.ts'
import type { TextValues } from '#web/lib/i18n/use-text.ts'

const turned = /^(?<name>.*) turned (?<state>ON|OFF)$/
const speed = /^(?<name>.*) speed set to (?<speed>\d+)$/
const missed =
  /^(?<name>.*) was not turned (?<state>ON|OFF) at (?<time>\d\d:\d\d): (?<board>.*) (?<why>was offline|did not respond|refused|could not be reached.*)$/

const missedBecause: Record<string, MessageId> = {
  'was offline': 'logs.missed.offline',
  'did not respond': 'logs.missed.noResponse',
  refused: 'logs.missed.refused'
}

export interface LogSentence {
  id: MessageId
  values: TextValues
}

/**
 * The server's description as a text of ours, so that it can be read in the person's language; null for a sentence that
 * this version does not know, which is then shown as it stands.
 */
export function logSentence(description: string): LogSentence | null {
  const change = turned.exec(description)?.groups
  if (change !== undefined)
    return { id: 'logs.turned', values: { name: change['name'] ?? '', state: change['state'] === 'ON' ? 'on' : 'off' } }
  const turn = speed.exec(description)?.groups
  if (turn !== undefined)
    return { id: 'logs.speed', values: { name: turn['name'] ?? '', speed: Number(turn['speed']) } }
  const miss = missed.exec(description)?.groups
  if (miss === undefined) return null
  return {
    id: missedBecause[miss['why'] ?? ''] ?? 'logs.missed.serverDown',
    values: {
      name: miss['name'] ?? '',
      state: miss['state'] === 'ON' ? 'on' : 'off',
      time: miss['time'] ?? '',
      board: miss['board'] ?? ''
    }
  }
}
