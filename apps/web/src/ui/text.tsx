import type { MessageId } from '#web/i18n/message-id.ts'
import { useText, type TextValues } from '#web/lib/i18n/use-text.ts'

/** A text by its id, for places that cannot use a hook, such as a column's cell. */
export function T({ id, values }: { id: MessageId; values?: TextValues }) {
  return useText()(id, values)
}
