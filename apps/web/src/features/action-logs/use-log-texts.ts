import type { ActionLogRecord } from '@batti/contracts'
import { useIntl } from 'react-intl'
import { useText } from '#web/lib/i18n/use-text.ts'
import { wallTime } from '#web/lib/i18n/wall-clock.ts'
import { causeOfLog } from './log-cause.ts'
import { logSentence } from './log-sentence.ts'

/** What a row says and who or what it was, in the person's language. */
export function useLogTexts() {
  const t = useText()
  const intl = useIntl()
  return {
    sentenceOf: ({ description }: Pick<ActionLogRecord, 'description'>): string => {
      const sentence = logSentence(description)
      if (sentence === null) return description
      const { time } = sentence.values
      return t(sentence.id, { ...sentence.values, ...(typeof time === 'string' && { time: wallTime(intl, time) }) })
    },
    /** "Sita Sharma", "Wall button", "Schedule". */
    whoOf: (row: Pick<ActionLogRecord, 'kind' | 'cause' | 'from' | 'userName'>): string => {
      if (row.userName !== '') return row.userName
      return t(`logs.cause.${causeOfLog(row)}`)
    },
    sourceOf: ({ from }: Pick<ActionLogRecord, 'from'>): string => t(`logs.from.${from}`)
  }
}
