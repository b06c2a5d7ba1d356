import { useIntl } from 'react-intl'
import { sizeText } from '#web/lib/i18n/size-words.ts'

export function FileSize({ bytes }: { bytes: number }) {
  return sizeText(useIntl(), bytes)
}
