import { useCallback } from 'react'
import { useIntl } from 'react-intl'
import type { MessageId } from '#web/i18n/message-id.ts'
import { isolated } from './isolated.ts'

export type TextValues = Record<string, string | number | Date>
export type Text = (id: MessageId, values?: TextValues) => string

const withIsolated = (values: TextValues): TextValues =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? isolated(value) : value])
  )

/** What is shown for an id without a text: an id ends in a value of the server, and a newer server has more of them. */
const lastPart = (id: string): string => id.slice(id.lastIndexOf('.') + 1)

/** Returns a function that formats a text of the chosen language by its id and values. */
export function useText(): Text {
  const intl = useIntl()
  return useCallback(
    (id, values) => intl.formatMessage({ id, defaultMessage: lastPart(id) }, values && withIsolated(values)),
    [intl]
  )
}
