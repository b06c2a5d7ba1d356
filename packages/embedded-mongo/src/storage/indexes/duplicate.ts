import type { Document } from '../../bson/document.ts'
import { encodeCompoundKey } from '../../bson/key.ts'
import { MongoError } from '../../errors.ts'
import { shellText } from '../../bson/shell-text.ts'
import { pathElements, plainValue } from '../../query/path.ts'
import type { Index } from './index-spec.ts'

/** Returns the values of `document` that `key` consists of; for an array, the element. */
function valuesOfKey(document: Document, index: Index, key: Buffer): unknown[] {
  const candidates = index.fields.map(({ path }) => {
    const plain = plainValue(document, path)
    return Array.isArray(plain) || plain === undefined ? [...pathElements(document, path), plain] : [plain]
  })
  const fold = index.collation?.fold ?? null
  const search = (chosen: unknown[]): unknown[] | null => {
    const options = candidates[chosen.length]
    if (!options) return encodeCompoundKey(chosen, index.directions, fold).equals(key) ? chosen : null
    for (const option of options) {
      const found = search([...chosen, option])
      if (found) return found
    }
    return null
  }
  return search([]) ?? candidates.map((options) => options[0])
}

/** Returns E11000 with MongoDB's text, `keyPattern` and `keyValue`, which mongoose and its plugins read. */
export function duplicateKey(namespace: string, index: Index, document: Document, key: Buffer): MongoError {
  const values = valuesOfKey(document, index, key).map((value) => value ?? null)
  const keyValue = Object.fromEntries(index.fields.map(({ path }, i) => [path, values[i]]))
  const collation = index.collation ? ` collation: ${shellText(index.collation.spec)}` : ''
  return new MongoError(
    11000,
    `E11000 duplicate key error collection: ${namespace} index: ${index.name}${collation} dup key: ${shellText(keyValue)}`,
    { details: { keyPattern: index.spec['key'], keyValue } }
  )
}
