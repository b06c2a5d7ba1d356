interface Indexed {
  schema: { indexes(): [keys: object, options: object][] }
  collection: { createIndexes(indexes: { key: Map<string, number> }[]): Promise<unknown> }
}

/**
 * Makes the indexes that the schemas of these models name, and their collections; those that exist stay as they are. One
 * command for each model: mongoose's own call makes one for each index, at every start.
 */
export async function ensureIndexes(...models: readonly Indexed[]): Promise<void> {
  for (const { schema, collection } of models) {
    const wanted = schema
      .indexes()
      .map(([keys, options]) => ({ ...options, key: new Map<string, number>(Object.entries(keys)) }))
    if (wanted.length > 0) await collection.createIndexes(wanted)
  }
}
