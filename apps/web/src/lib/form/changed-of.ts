import { ApiError, isLost } from '#web/lib/api/api-error.ts'

/** Fields that may differ from the opened record on the server already (`useTriedFields`). */
type TriedFields = ReadonlySet<string>

/**
 * Returns the fields of a form that differ from the opened record, and the tried ones: only these are sent, as somebody
 * else may have changed the rest. '' and null both mean empty; lists are equal when their entries are.
 */
export function changedOf<Body extends object>(before: object, body: Body, tried: TriedFields): Body {
  const known = new Map<string, unknown>(Object.entries(before))
  const same = (name: string, value: unknown) => textOf(known.get(name)) === textOf(value)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same fields, fewer of them
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => tried.has(name) || !same(name, value))
  ) as Body
}

/** Awaits the record that a replacing call needs first: when its answer is lost, the change itself was not sent. */
export async function beforeChange<Found>(read: Promise<Found>): Promise<Found> {
  try {
    return await read
  } catch (error) {
    throw isLost(error) ? new ApiError('UNSENT', 'The record to change could not be read.', { cause: error }) : error
  }
}

/** Returns a full record for a replacing call: the form's values for `changes`, and the current ones for the rest. */
export function changedIn<Body extends object>(now: object, changes: object, body: Body): Body {
  const latest = new Map<string, unknown>(Object.entries(now))
  const fieldOf = (name: string, value: unknown) => (name in changes || !latest.has(name) ? value : latest.get(name))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same fields
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, fieldOf(name, value)])) as Body
}

/** Merges a list that a call replaces: entries added or removed in the form as chosen, the others as they are on the server. */
export const mergedList = <Entry>(
  opened: readonly Entry[],
  chosen: readonly Entry[],
  now: readonly Entry[]
): Entry[] => [
  ...now.filter((entry) => chosen.includes(entry) || !opened.includes(entry)),
  ...chosen.filter((entry) => !opened.includes(entry) && !now.includes(entry))
]

const textOf = (value: unknown): unknown => (Array.isArray(value) ? JSON.stringify(value) : (value ?? ''))
