import { isPageNamed, staffPages, type SearchAnswer, type PageName } from '@batti/contracts'
import type { MessageId } from '#web/i18n/message-id.ts'
import { deviceTitle } from '#web/lib/records/device-title.ts'

/** A choice: it leads to a page, or runs an action here. */
export interface FindItem {
  id: string
  kind: 'board' | 'person' | 'page' | 'action'
  label: string
  /** Distinguishes two items with the same name. */
  more: string | null
  /** A MAC or a phone number, shown at the end of the line. */
  code: string | null
  isOnline?: boolean
  page?: PageName
  does: { go: string } | { copy: string } | { toggle: string } | { update: string }
}
export interface FindGroup {
  title: string
  items: FindItem[]
}

interface FindFor {
  /** The typed text, and what the server found for it; null before the server was asked. */
  typed: string
  found: Pick<SearchAnswer, 'boards' | 'users'> | null
  /** The person's own path prefix: `/admin`. */
  area: string
  mayOpen: (path: string) => boolean
  mayToggle: boolean
  pages: readonly { page: PageName; path: string; label: string }[]
  say: (id: MessageId, values?: Record<string, string>) => string
}

const pagesMax = 5

/** Returns boards, people, pages, and actions on the first of them; empty groups are left out. */
export function findGroups(options: FindFor): FindGroup[] {
  const { say, found } = options
  const boards = (found?.boards ?? []).map((board) => boardItem(board, options))
  const people = (found?.users ?? []).map((person) => personItem(person, options))
  const [first] = [...boards, ...people]
  return [
    { title: say('find.boards'), items: boards },
    { title: say('find.people'), items: people },
    { title: say('find.pages'), items: pageItems(options) },
    { title: say('find.for', { name: first?.label ?? '' }), items: actionsFor(options) }
  ].filter(({ items }) => items.length > 0)
}

type FoundBoard = SearchAnswer['boards'][number]
type FoundPerson = SearchAnswer['users'][number]

/** Returns the board's own page, or the list filtered to it when the person may not open that page. */
function pathOfBoard({ _id, deviceMac }: FoundBoard, { area, mayOpen }: FindFor): string {
  const own = `${area}/devices/${_id}`
  return mayOpen(own) ? own : `${area}/devices?search=${encodeURIComponent(deviceMac)}`
}
function pathOfPerson({ _id }: { _id: string }, { area }: FindFor): string {
  return `${area}/users/${_id}`
}

const boardItem = (board: FoundBoard, options: FindFor): FindItem => ({
  id: board._id,
  kind: 'board',
  label: deviceTitle(board),
  more: board.owner?.name ?? null,
  code: board.deviceMac,
  isOnline: board.isOnline,
  does: { go: pathOfBoard(board, options) }
})

const personItem = (person: FoundPerson, options: FindFor): FindItem => ({
  id: person._id,
  kind: 'person',
  label: person.name,
  more: person.email,
  code: person.phone,
  does: { go: pathOfPerson(person, options) }
})

/** Matches pages by their name in the reader's language, or in English. */
function pageItems({ typed, pages }: FindFor): FindItem[] {
  const english = new Map<string, string>(staffPages.map(({ page, title }) => [page, title]))
  const isNamed = (page: FindFor['pages'][number]) =>
    isPageNamed(page.label, typed) || isPageNamed(english.get(page.page) ?? '', typed)
  const named = typed === '' ? pages : pages.filter(isNamed).slice(0, pagesMax)
  return named.map(({ page, path, label }) => ({
    id: path,
    kind: 'page',
    label,
    more: null,
    code: null,
    page,
    does: { go: path }
  }))
}

function actionsFor(options: FindFor): FindItem[] {
  const [board] = options.found?.boards ?? []
  if (board !== undefined) return actionsForBoard(board, options)
  const [person] = options.found?.users ?? []
  return person === undefined ? [] : actionsForPerson(person, options)
}

const action = (id: string, label: string, does: FindItem['does']): FindItem => ({
  id: `do ${id}`,
  kind: 'action',
  label,
  more: null,
  code: null,
  does
})

function actionsForBoard(board: FoundBoard, options: FindFor): FindItem[] {
  const { say, area, mayOpen, mayToggle } = options
  const owner = board.owner
  return [
    ...(mayToggle ? [action('toggle', say('find.toggle'), { toggle: board._id })] : []),
    ...(area === '/admin' ? [action('update', say('find.update'), { update: board._id })] : []),
    action('copy', say('find.copyMac'), { copy: board.deviceMac }),
    ...(owner !== null && mayOpen(pathOfPerson(owner, options))
      ? [action('owner', say('find.owner', { name: owner.name }), { go: pathOfPerson(owner, options) })]
      : [])
  ]
}

function actionsForPerson(person: FoundPerson, { say, area, mayOpen }: FindFor): FindItem[] {
  return [
    ...(mayOpen(`${area}/devices`)
      ? [action('boards', say('find.theirBoards'), { go: `${area}/devices?userId=${person._id}` })]
      : []),
    ...(person.phone === null
      ? []
      : [
          action('call', say('find.call', { phone: person.phone }), { go: `tel:${person.phone}` }),
          action('copy-phone', say('find.copyPhone'), { copy: person.phone })
        ]),
    action('copy-mail', say('find.copyMail'), { copy: person.email })
  ]
}

/** Splits a text into the parts before, in and after the match. A MAC matches with any separators. */
export function markedParts(text: string, typed: string): readonly [string, string, string] {
  const letters = typed
    .trim()
    .toLowerCase()
    .split('')
    .filter((letter) => !separators.has(letter))
  if (letters.length === 0) return [text, '', '']
  for (let from = 0; from < text.length; from += 1) {
    const to = endOfMatch(text, from, letters)
    if (to !== null) return [text.slice(0, from), text.slice(from, to), text.slice(to)]
  }
  return [text, '', '']
}

const separators = new Set([' ', ':', '-', '.'])

function endOfMatch(text: string, from: number, letters: readonly string[]): number | null {
  let at = from
  for (const letter of letters) {
    while (at > from && separators.has(text[at] ?? '')) at += 1
    if (text[at]?.toLowerCase() !== letter) return null
    at += 1
  }
  return at
}
