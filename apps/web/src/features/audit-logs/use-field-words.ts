import { useIntl } from 'react-intl'

/** Formats the name of a stored field, "Board name"; a field without a text keeps its own name. */
export function useFieldWords(): (field: string) => string {
  const { messages, formatMessage } = useIntl()
  return (field) => {
    const id = `audit.name.${field}`
    return id in messages ? formatMessage({ id }) : field
  }
}
