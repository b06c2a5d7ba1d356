import { useCallback } from 'react'
import { useIntl } from 'react-intl'
import type { MessageId } from '#web/i18n/message-id.ts'

export type TextValues = Record<string, string | number | Date>
export type Text = (id: MessageId, values?: TextValues) => string

/** The text of an id in the chosen language, with its values filled in; numbers and dates follow the language. */
export function useText(): Text {
  const intl = useIntl()
  return useCallback((id, values) => intl.formatMessage({ id }, values), [intl])
}
