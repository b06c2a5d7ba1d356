interface Indexed {
  schema: { indexes(): [keys: object, options: object][] }
  collection: { createIndexes(indexes: { key: Map<string, number> }[]): Promise<unknown> }
}

/**
 * Creates the indexes of these models' schemas, and their collections; existing ones are kept. Uses one command per
 * model: mongoose's own call sends one per index, at every start.
 */
export async function ensureIndexes(...models: readonly Indexed[]): Promise<void> {
  for (const { schema, collection } of models) {
    const wanted = schema
      .indexes()
      .map(([keys, options]) => ({ ...options, key: new Map<string, number>(Object.entries(keys)) }))
    if (wanted.length > 0) await collection.createIndexes(wanted)
  }
}
