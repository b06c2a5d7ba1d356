import type { ActionLogRecord } from '@batti/contracts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useLogSentence } from '#web/lib/records/use-log-sentence.ts'
import { causeOfLog } from './log-cause.ts'

/** Returns functions for the texts of a row, in the person's language. */
export function useLogTexts() {
  const t = useText()
  const sentenceOf = useLogSentence()
  return {
    sentenceOf,
    /** "Sita Sharma", "Wall button", "Schedule". */
    whoOf: (row: Pick<ActionLogRecord, 'kind' | 'cause' | 'from' | 'userName'>): string => {
      if (row.userName !== '') return row.userName
      return t(`logs.cause.${causeOfLog(row)}`)
    },
    sourceOf: ({ from }: Pick<ActionLogRecord, 'from'>): string => t(`logs.from.${from}`)
  }
}
