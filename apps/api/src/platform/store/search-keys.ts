import type { Schema } from 'mongoose'
import { containsText, escapePattern } from '../paging.ts'

/** Longer texts are looked up by their beginning, and then read. */
const keyLength = 16

/** Where a text is found: by its keys, which an index holds, or by reading what was written. Both find the same. */
export interface TextSearch {
  /** Any of these; null: too many other records match (owners, rooms, boards) to be named. */
  byKeys: readonly object[] | null
  byReading: readonly object[]
}

/** A field with its text as it is searched, where that is not as it is written. */
export type SearchedField = string | { field: string; form(text: string): string }

const fieldOf = (searched: SearchedField): string => (typeof searched === 'string' ? searched : searched.field)
const plain = (text: string): string => text.toLowerCase()

/** Every end of a text: whatever a text contains stands at the beginning of one of them. */
export function searchKeysOf(text: unknown, form: (text: string) => string = plain): string[] {
  if (typeof text !== 'string') return []
  const signs = Array.from(form(text))
  return [...new Set(signs.map((_, at) => signs.slice(at, at + keyLength).join('')))]
}

/**
 * Keeps keys beside fields that are searched for any part of them, and an index of the keys. They are set wherever the
 * field is set through the model.
 */
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

/** Documents whose field contains the text, by its keys. */
export function hasKey(field: string, text: string): object {
  const signs = Array.from(plain(text))
  const beginning = new RegExp(`^${escapePattern(signs.slice(0, keyLength).join(''))}`)
  const byKey = { [keyPath(field)]: beginning }
  return signs.length <= keyLength ? byKey : { $and: [byKey, { [field]: containsText(text) }] }
}
