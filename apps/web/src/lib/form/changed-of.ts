/**
 * What of a form is sent: the fields that differ from what was opened. The rest may be another person's change by now.
 * '' and null both stand for nothing.
 */
export function changedOf<Body extends object>(before: object, body: Body): Body {
  const known = new Map<string, unknown>(Object.entries(before))
  const same = (name: string, value: unknown) => (known.get(name) ?? '') === (value ?? '')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same fields, fewer of them
  return Object.fromEntries(Object.entries(body).filter(([name, value]) => !same(name, value))) as Body
}
