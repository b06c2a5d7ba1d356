import { useCallback } from 'react'
import { useIntl } from 'react-intl'
import { wallTime } from '#web/lib/i18n/wall-clock.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { logSentence } from '#web/lib/records/log-sentence.ts'

/** Returns a function that formats a row of the action log in the person's language. */
export function useLogSentence(): (row: { description: string }) => string {
  const t = useText()
  const intl = useIntl()
  return useCallback(
    ({ description }) => {
      const sentence = logSentence(description)
      if (sentence === null) return description
      const { time } = sentence.values
      return t(sentence.id, { ...sentence.values, ...(typeof time === 'string' && { time: wallTime(intl, time) }) })
    },
    [t, intl]
  )
}
