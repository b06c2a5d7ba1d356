import { usePageTitle } from '#web/lib/use-page-title.ts'
import { EmptyState } from './empty-state.tsx'
import { LinkButton } from './link-button.tsx'

export interface MissingRecordProps {
  title: string
  body?: string
  list: { label: string; path: string }
}

/** The page of a record that does not exist: says so, and links to the list. */
export function MissingRecord({ list, ...words }: MissingRecordProps) {
  usePageTitle(words.title)
  return <EmptyState {...words} action={<LinkButton to={list.path}>{list.label}</LinkButton>} />
}
