import { useCallback } from 'react'
import { useIntl } from 'react-intl'
import type { MessageId } from '#web/i18n/message-id.ts'

export type TextValues = Record<string, string | number | Date>
export type Text = (id: MessageId, values?: TextValues) => string

/** Returns a function that formats a text of the chosen language by its id and values. */
export function useText(): Text {
  const intl = useIntl()
  return useCallback((id, values) => intl.formatMessage({ id }, values), [intl])
}
