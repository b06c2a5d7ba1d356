import type { Route, RouteAccess } from '@batti/contracts'
import type { z } from 'zod'

// The parts of a route descriptor that a caller needs: loose enough for every route of the contracts.
export interface CallableRoute {
  method: Route['method']
  path: string
  access: RouteAccess
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  answer?: z.ZodType
  multipart?: { file: string }
}

type Given<Schema> = Exclude<Schema, undefined | z.ZodUndefined>
type Part<Name extends string, Schema> = [Given<Schema>] extends [never]
  ? { [K in Name]?: undefined }
  : Given<Schema> extends z.ZodType
    ? undefined extends z.input<Given<Schema>>
      ? { [K in Name]?: z.input<Given<Schema>> }
      : Record<string, never> extends z.input<Given<Schema>>
        ? { [K in Name]?: z.input<Given<Schema>> }
        : { [K in Name]: z.input<Given<Schema>> }
    : { [K in Name]?: undefined }

/** The options of `call`: the inputs of the route's schemas, and how to send them. */
export type CallOptions<R extends CallableRoute> = Part<'params', R['params']> &
  Part<'query', R['query']> &
  Part<'body', R['body']> & {
    signal?: AbortSignal
    /** Only for multipart routes: the file of the route's file field, and the upload progress from 0 to 1. */
    file?: File | null
    onUploadProgress?: (fraction: number) => void
    /** Called with the number of lines received so far of a long answer. */
    onLines?: (lines: number) => void
  }

export type AnswerOf<R extends CallableRoute> =
  Given<R['answer']> extends never
    ? undefined
    : Given<R['answer']> extends z.ZodType
      ? z.output<Given<R['answer']>>
      : undefined

/** The last arguments of a typed call: optional when every option is optional. */
export type OptionsOf<R extends CallableRoute> =
  Partial<CallOptions<R>> extends CallOptions<R> ? [options?: CallOptions<R>] : [options: CallOptions<R>]

interface Parts {
  params?: unknown
  query?: unknown
  body?: unknown
  file?: File | null
}

const entriesOf = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : []

/** Returns a value as text for an address or a form field; structured values become JSON. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Returns the path below the API base: parameters filled in and encoded, empty query values left out. */
export function pathOf(route: CallableRoute, parts: Parts): string {
  const params = new Map(entriesOf(parts.params))
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(textOf(params.get(name))))
  const query = new URLSearchParams()
  for (const [name, value] of entriesOf(parts.query))
    if (value !== undefined && value !== '') query.set(name, textOf(value))
  // Older browsers have no `size` of a query.
  const text = query.toString()
  return text === '' ? path : `${path}?${text}`
}

/** Returns the body for `fetch` and `XMLHttpRequest`; arrays in a form become JSON. */
export function bodyOf(
  route: CallableRoute,
  parts: Parts
): { body: string | FormData | null; contentType: string | null } {
  if (route.multipart !== undefined) {
    const form = new FormData()
    for (const [name, value] of entriesOf(parts.body)) {
      if (value !== undefined && value !== null) form.set(name, textOf(value))
    }
    if (parts.file) form.set(route.multipart.file, parts.file, parts.file.name)
    return { body: form, contentType: null }
  }
  if (parts.body === undefined) return { body: null, contentType: null }
  return { body: JSON.stringify(parts.body), contentType: 'application/json' }
}
