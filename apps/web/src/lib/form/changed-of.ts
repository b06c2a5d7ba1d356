/**
 * What of a form is sent: the fields that differ from what was opened. The rest may be another person's change by now.
 * '' and null both stand for nothing; lists are the same when their entries are.
 */
export function changedOf<Body extends object>(before: object, body: Body): Body {
  const known = new Map<string, unknown>(Object.entries(before))
  const same = (name: string, value: unknown) => textOf(known.get(name)) === textOf(value)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same fields, fewer of them
  return Object.fromEntries(Object.entries(body).filter(([name, value]) => !same(name, value))) as Body
}

/** For a call that replaces a record: what was changed in the form, and the rest of it as it is by now. */
export function changedIn<Body extends object>(now: object, before: object, body: Body): Body {
  const changes = changedOf(before, body)
  const latest = new Map<string, unknown>(Object.entries(now))
  const fieldOf = (name: string, value: unknown) => (name in changes || !latest.has(name) ? value : latest.get(name))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same fields
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, fieldOf(name, value)])) as Body
}

const textOf = (value: unknown): unknown => (Array.isArray(value) ? JSON.stringify(value) : (value ?? ''))
