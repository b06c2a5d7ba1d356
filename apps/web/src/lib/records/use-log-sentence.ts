import { useCallback } from 'react'
import { useIntl } from 'react-intl'
import { wallTime } from '#web/lib/i18n/wall-clock.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { logSentence } from '#web/lib/records/log-sentence.ts'
import { switchWords } from '#web/lib/records/switch-words.ts'

/** Returns a function that formats a row of the action log in the person's language. */
export function useLogSentence(): (row: { description: string }) => string {
  const t = useText()
  const intl = useIntl()
  return useCallback(
    ({ description }) => {
      const sentence = logSentence(description)
      if (sentence === null) return description
      const { name, time } = sentence.values
      return t(sentence.id, {
        ...sentence.values,
        ...(typeof name === 'string' && { name: switchWords(t, name) }),
        ...(typeof time === 'string' && { time: wallTime(intl, time) })
      })
    },
    [t, intl]
  )
}
