import type { ApiCall } from './description.ts'

/** The address of a call with what was filled in; a query field that is empty stays out. */
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

/** JSON with its lines, or the text as it came. */
export function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
