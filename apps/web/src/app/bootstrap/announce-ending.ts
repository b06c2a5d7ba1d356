import { isErrorCode } from '@batti/contracts'
import type { MessageId } from '#web/i18n/message-id.ts'
import type { Ending } from '#web/lib/live/command-machine.ts'
import type { ServerWords } from '#web/lib/i18n/server-words.ts'
import { notify } from '#web/lib/notify.ts'

interface EndingWords {
  say: (id: MessageId) => string
  words: ServerWords
  device: Navigator
}

/**
 * Announces how a command ended: a short vibration when the board confirmed, the specified text when it did not answer,
 * the server's message on a refusal. There is one toast per board, so that a refusal, which arrives both as an
 * acknowledgement and as `deviceStatus`, is shown once.
 */
export function announceEnding({ mac, end }: Ending, { say, words, device }: EndingWords): void {
  switch (end.phase) {
    case 'confirmed':
      device.vibrate?.(10)
      return
    case 'no-answer':
      return notify.error(say('shell.noResponse'), `device ${mac}`)
    case 'refused': {
      const { code, message } = end
      // This browser has no connection, whichever board the command was for.
      if (code === 'NOT_CONNECTED') return notify.error(say('shell.notConnected'), 'not-connected')
      const said = isErrorCode(code) ? words(message, code) : message
      return notify.error(said || say('shell.commandFailed'), `device ${mac}`)
    }
  }
}
