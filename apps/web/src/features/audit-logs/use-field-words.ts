import { useIntl } from 'react-intl'

/** What people call a stored field, "Board name"; one that has no words, as it stands. */
export function useFieldWords(): (field: string) => string {
  const { messages, formatMessage } = useIntl()
  return (field) => {
    const id = `audit.name.${field}`
    return id in messages ? formatMessage({ id }) : field
  }
}
