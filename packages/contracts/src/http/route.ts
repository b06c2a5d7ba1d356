import { z } from 'zod'
import type { MonitorPermission } from '../constants.ts'
import type { ErrorCode } from '../errors.ts'

/** Who may call: anybody, any account, or the named roles (monitors with that permission, or any monitor). */
export type RouteAccess =
  | { kind: 'public' }
  | { kind: 'account' }
  | { kind: 'roles'; user: boolean; admin: boolean; monitor: MonitorPermission | 'any' | false }

export const open: RouteAccess = { kind: 'public' }
export const account: RouteAccess = { kind: 'account' }
export const adminOnly: RouteAccess = { kind: 'roles', user: false, admin: true, monitor: false }
/** Users and admins, but not monitors. */
export const ownerOrAdmin: RouteAccess = { kind: 'roles', user: true, admin: true, monitor: false }
/** Users, admins, and monitors with that permission. */
export const everyoneWith = (permission: MonitorPermission): RouteAccess => ({
  kind: 'roles',
  user: true,
  admin: true,
  monitor: permission
})
/** Admins, and monitors with that permission. */
export const staffWith = (permission: MonitorPermission): RouteAccess => ({
  kind: 'roles',
  user: false,
  admin: true,
  monitor: permission
})

/** Admins and all monitors; what a monitor gets depends on its permissions. */
export const anyStaff: RouteAccess = { kind: 'roles', user: false, admin: true, monitor: 'any' }

/**
 * One call of the product, as data: the api mounts it, the reference is generated from it, and the web takes its types from
 * it.
 * `path` is below the api base, with `{id}` parameters. `answer` is the schema of `data`.
 * `errors`: refusals specific to this call, beside those that follow from the rest (an invalid body, a missing login).
 * `shape`: `fields` are also spread to the top level; a `record` and a bare `list` are in `data` only.
 * `rows`: the field with a list that is sent as a table to clients that accept `text/csv`: all rows of the filter.
 * `previewAnswer`: the answer, with status 200 and without any effect, to a query with `preview=1`.
 * `bareListForStaff`: admins and monitors get that field's list as `data` itself, with its sibling fields beside it.
 * `forbidden`: fields that no caller may set (400 naming them; `set.name`: a nested field), beside those of the record that
 * the body does not take. `forbiddenToUsers`: fields that users may not set either.
 */
export interface Route<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType
> {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  path: string
  summary: string
  access: RouteAccess
  errors?: readonly ErrorCode[]
  params?: Params
  query?: Query
  body?: Body
  answer?: Answer
  shape?: 'fields' | 'record' | 'list'
  rows?: string
  bareListForStaff?: string
  status?: 200 | 201
  previewAnswer?: z.ZodType
  message?: string
  multipart?: { file: string }
  forbidden?: readonly string[]
  forbiddenToUsers?: readonly string[]
}

/** Returns the fields of a record that the body of its call does not take; a caller who sends one is told so. */
function notTaken({ shape, body, answer, multipart }: Route): string[] {
  if (shape !== 'record' || !(body instanceof z.ZodObject) || !(answer instanceof z.ZodObject)) return []
  const taken = new Set([...Object.keys(body.shape), multipart?.file])
  return Object.keys(answer.shape).filter((field) => !taken.has(field))
}

/** Keeps the types of the schemas. Fields of the record that the body does not take become forbidden without being listed. */
export function route<
  Params extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
  Answer extends z.ZodType = z.ZodUndefined
>(descriptor: Route<Params, Query, Body, Answer>): Route<Params, Query, Body, Answer> {
  const forbidden = [...new Set([...(descriptor.forbidden ?? []), ...notTaken(descriptor)])]
  return forbidden.length === 0 ? descriptor : { ...descriptor, forbidden }
}
