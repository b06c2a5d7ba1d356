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
 * Tells how a command ended: nothing but a light tick of the phone when the board confirmed; the specified text when it
 * did not answer; the server's sentence at a refusal. One toast per board, so that the same news is not told twice
 * (a refusal comes both as an acknowledgement and as `deviceStatus`).
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
      // It is this browser that has no connection, whichever board it was for.
      if (code === 'NOT_CONNECTED') return notify.error(say('shell.notConnected'), 'not-connected')
      const said = isErrorCode(code) ? words(message, code) : message
      return notify.error(said || say('shell.commandFailed'), `device ${mac}`)
    }
  }
}
