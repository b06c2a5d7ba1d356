import type { Schema } from 'mongoose'
import { containsText, escapePattern } from '../../paging.ts'

/** Longer texts are found by their first characters, and then compared. */
const keyLength = 16

/** Two equivalent conditions for a text: by indexed keys, or by reading the text itself. */
export interface TextSearch {
  /** Alternatives; null if too many related records (owners, rooms, boards) match to list them. */
  byKeys: readonly object[] | null
  byReading: readonly object[]
}

/** A searched field, with the function that normalizes its text if it is not searched as written. */
export type SearchedField = string | { field: string; form(text: string): string }

const fieldOf = (searched: SearchedField): string => (typeof searched === 'string' ? searched : searched.field)
const plain = (text: string): string => text.toLowerCase()

/** Returns every suffix of a text: any substring is the prefix of one of them. */
export function searchKeysOf(text: unknown, form: (text: string) => string = plain): string[] {
  if (typeof text !== 'string') return []
  const signs = Array.from(form(text))
  return [...new Set(signs.map((_, at) => signs.slice(at, at + keyLength).join('')))]
}

/** Maintains indexed keys for fields with substring search. They are updated whenever the field is set through the model. */
export function addSearchKeys<Document>(schema: Schema<Document>, fields: readonly SearchedField[]): void {
  const keysOf = new Map(
    fields.map((searched) => [
      fieldOf(searched),
      (text: unknown) => searchKeysOf(text, typeof searched === 'string' ? plain : searched.form)
    ])
  )
  const paths: Record<string, object> = {}
  for (const [field, keys] of keysOf) {
    paths[field] = {
      type: [String],
      default(this: { get?(path: string): unknown }) {
        return keys(this.get?.(field))
      }
    }
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- paths beside those that the document's type names
  schema.add({ searchKeys: paths } as never)
  for (const field of keysOf.keys()) schema.index({ [keyPath(field)]: 1 })
  schema.pre(['findOneAndUpdate', 'updateOne', 'updateMany'], function keepKeys() {
    const update = this.getUpdate()
    const set: unknown = update !== null && '$set' in update ? update.$set : undefined
    if (typeof set !== 'object' || set === null) return
    for (const [field, keys] of keysOf) {
      if (Object.hasOwn(set, field)) Object.assign(set, { [keyPath(field)]: keys(Reflect.get(set, field)) })
    }
  })
}

const keyPath = (field: string): string => `searchKeys.${field}`

/** Matches documents whose field contains the text, by its keys. */
export function hasKey(field: string, text: string): object {
  const signs = Array.from(plain(text))
  const beginning = new RegExp(`^${escapePattern(signs.slice(0, keyLength).join(''))}`)
  const byKey = { [keyPath(field)]: beginning }
  return signs.length <= keyLength ? byKey : { $and: [byKey, { [field]: containsText(text) }] }
}
