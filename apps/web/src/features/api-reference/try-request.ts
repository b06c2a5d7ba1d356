import type { ApiCall } from './description.ts'

/** Returns the address of a call with the given values; empty query fields are left out. */
export function addressOf(
  call: Pick<ApiCall, 'path' | 'parameters'>,
  values: Readonly<Record<string, string>>
): string {
  const path = call.parameters
    .filter((each) => each.in === 'path')
    .reduce((text, { name }) => text.replace(`{${name}}`, encodeURIComponent(values[name] ?? '')), call.path)
  const query = new URLSearchParams(
    call.parameters
      .filter((each) => each.in === 'query')
      .flatMap(({ name }): [string, string][] => {
        const value = values[name] ?? ''
        return value === '' ? [] : [[name, value]]
      })
  ).toString()
  return query === '' ? path : `${path}?${query}`
}

/** Formats JSON with line breaks; other text stays as it is. */
export function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
