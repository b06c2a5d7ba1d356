import { useState } from 'react'
import { changedOf } from './changed-of.ts'
import { useTriedFields } from './use-tried-fields.ts'

/**
 * Keeps the values that a form was opened with, also when its record is refetched: only fields that differ from them are
 * sent, and the form does not show the refetched ones.
 */
export function useOpenedFields<Fields extends object>(fields: Fields) {
  const [opened] = useState(fields)
  const { tried, trying } = useTriedFields()
  const sendChanges = <Body extends object, Result>(body: Body, send: (changes: Body) => Promise<Result>) =>
    trying(changedOf(opened, body, tried), send)
  return { opened, tried, sendChanges }
}
