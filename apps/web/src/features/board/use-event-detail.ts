import type { DeviceEventRecord } from '@batti/contracts'
import { useIntl } from 'react-intl'
import { useText } from '#web/lib/i18n/use-text.ts'

/** Translates the detail of an event; one without a text is shown as the server wrote it. */
export function useEventDetail(): (event: Pick<DeviceEventRecord, 'kind' | 'detail'>) => string | null {
  const t = useText()
  const { messages, formatMessage } = useIntl()
  const wordsOf = (group: string, word: string): string => {
    const id = `${group}.${word.replaceAll(' ', '-')}`
    return id in messages ? formatMessage({ id }) : word
  }

  return ({ kind, detail }) => {
    if (detail === null) return null
    switch (kind) {
      case 'firmware': {
        const [phase = '', error] = detail.split(': ')
        const words = wordsOf('phase', phase)
        return error === undefined ? words : `${words}: ${wordsOf('updateError', error)}`
      }
      case 'config':
        return detail
          .split(', ')
          .map((word) => wordsOf('board.setting', word))
          .join(', ')
      case 'schedules': {
        const count = Number.parseInt(detail, 10)
        return Number.isNaN(count) ? detail : t('board.scheduleCount', { count })
      }
      case 'released':
        return wordsOf('board.released', detail)
      case 'refused':
        return wordsOf('board.refused', detail)
      default:
        return detail
    }
  }
}
