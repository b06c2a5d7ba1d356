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

/** Returns a function that formats a text of the chosen language by its id and values. */
export function useText(): Text {
  const intl = useIntl()
  return useCallback((id, values) => intl.formatMessage({ id }, values && withIsolated(values)), [intl])
}
