import { useCallback } from 'react'
import { useIntl } from 'react-intl'

/** Formats the name of a stored field, "Board name"; a field without a text keeps its own name. */
export function useFieldWords(): (field: string) => string {
  const intl = useIntl()
  return useCallback(
    (field) => {
      const id = `audit.name.${field}`
      return id in intl.messages ? intl.formatMessage({ id }) : field
    },
    [intl]
  )
}
