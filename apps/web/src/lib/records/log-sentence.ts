import { readChangeSentence } from '@batti/contracts'
import type { MessageId } from '#web/i18n/message-id.ts'
import type { TextValues } from '#web/lib/i18n/use-text.ts'

const missed =
  /^(?<name>.*) was not turned (?<state>ON|OFF) at (?<time>\d\d:\d\d): (?<board>.*) (?<why>was offline|did not respond|refused|could not be reached.*)$/

const cleared = /^(?<name>.*) cleared the whole action log$/

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
 * Converts the server's description to a translatable text; null for one that this version does not know, which is then
 * shown as it is.
 */
export function logSentence(description: string): LogSentence | null {
  const change = readChangeSentence(description)
  if (change !== null) {
    const { name } = change
    if ('kind' in change) return { id: `logs.level.${change.kind}`, values: { name, value: change.value } }
    return { id: 'logs.turned', values: { name, state: change.on ? 'on' : 'off' } }
  }
  const clearedBy = cleared.exec(description)?.groups
  if (clearedBy !== undefined) return { id: 'logs.clearedBy', values: { name: clearedBy['name'] ?? '' } }
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
