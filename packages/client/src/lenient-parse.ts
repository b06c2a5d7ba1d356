import type { z } from 'zod'

/**
 * Parses what a server sent. A text that an enum does not list is kept: a newer server has more causes, reasons and
 * codes than this client knows. Anything else that the schema refuses is refused here too.
 */
export function lenientParse<S extends z.ZodType>(schema: S, sent: unknown): z.ZodSafeParseResult<z.output<S>> {
  const strict = schema.safeParse(sent)
  if (strict.success) return strict
  const copy: unknown = structuredClone(sent)
  const undo: ((data: unknown) => void)[] = []
  // A known value stands in for each unknown one while the schema parses the rest.
  for (const { path, ...issue } of strict.error.issues) {
    const known = issue.code === 'invalid_value' ? issue.values[0] : null
    const unknown = exchange(copy, path, known)
    if (typeof known !== 'string' || typeof unknown !== 'string') return strict
    undo.push((data) => exchange(data, path, unknown))
  }
  const parsed = schema.safeParse(copy)
  if (!parsed.success) return strict
  for (const put of undo) put(parsed.data)
  return parsed
}

/** Puts a value in a place of a structure, and returns what was there. */
function exchange(structure: unknown, path: readonly PropertyKey[], value: unknown): unknown {
  const holder = path.slice(0, -1).reduce((at, key) => objectOf(Reflect.get(at, key)), objectOf(structure))
  const name = path.at(-1) ?? ''
  const before: unknown = Reflect.get(holder, name)
  Reflect.set(holder, name, value)
  return before
}

const objectOf = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {})
