/** Sets a value as the newest, and evicts the oldest beyond `limit`. */
export function remember<Value>(map: Map<string, Value>, key: string, value: Value, limit: number): void {
  map.delete(key)
  map.set(key, value)
  if (map.size <= limit) return
  const oldest = map.keys().next()
  if (oldest.done !== true) map.delete(oldest.value)
}
