import { parseJson } from '@batti/kit/json'
import { z } from 'zod'

export type ClusterMessage = [kind: string, payload: unknown]

const batch = z.array(z.tuple([z.string(), z.unknown()]))

/** Returns an entry of a stream as Redis takes it: a list of names and values. `number`: its place among the sender's entries. */
export const entryOf = (from: string, number: number, messages: readonly ClusterMessage[]): string[] => [
  'f',
  from,
  'n',
  String(number),
  'm',
  JSON.stringify(messages)
]

/** Returns the instance that sent an entry; '' for an entry of something else. */
export const senderOf = (entry: readonly string[] | null): string => fieldOf(entry, 'f')

export const numberOf = (entry: readonly string[] | null): number => Number(fieldOf(entry, 'n'))

/** Returns the messages of an entry; null if it is malformed. */
export const messagesOf = (entry: readonly string[] | null): ClusterMessage[] | null =>
  batch.safeParse(parseJson(fieldOf(entry, 'm'))).data ?? null

function fieldOf(entry: readonly string[] | null, name: string): string {
  const at = entry?.findIndex((text, index) => index % 2 === 0 && text === name) ?? -1
  return at < 0 ? '' : (entry?.[at + 1] ?? '')
}

/** Compares ids of entries, which have the form `<milliseconds>-<number>`. */
export function isEarlier(one: string, other: string): boolean {
  const [ms = 0, number = 0] = one.split('-').map(Number)
  const [otherMs = 0, otherNumber = 0] = other.split('-').map(Number)
  return ms < otherMs || (ms === otherMs && number < otherNumber)
}
