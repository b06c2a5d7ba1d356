import { z } from 'zod'
import type { MonitorPermission } from '../constants.ts'
import type { ErrorCode } from '../errors.ts'

/** Who may call: nobody needs to log in, any account, or the roles named (a monitor with that permission, or any). */
export type RouteAccess =
  | { kind: 'public' }
  | { kind: 'account' }
  | { kind: 'roles'; user: boolean; admin: boolean; monitor: MonitorPermission | 'any' | false }

export const open: RouteAccess = { kind: 'public' }
export const account: RouteAccess = { kind: 'account' }
export const adminOnly: RouteAccess = { kind: 'roles', user: false, admin: true, monitor: false }
/** A person at home and the admin; not a monitor. */
export const ownerOrAdmin: RouteAccess = { kind: 'roles', user: true, admin: true, monitor: false }
/** Everyone, a monitor with the permission named. */
export const everyoneWith = (permission: MonitorPermission): RouteAccess => ({
  kind: 'roles',
  user: true,
  admin: true,
  monitor: permission
})
/** Admins, and monitors with the permission named. */
export const staffWith = (permission: MonitorPermission): RouteAccess => ({
  kind: 'roles',
  user: false,
  admin: true,
  monitor: permission
})

/** Admins and every monitor; what a monitor finds there depends on its permissions. */
export const anyStaff: RouteAccess = { kind: 'roles', user: false, admin: true, monitor: 'any' }

/**
 * One call of the product, as data: the api mounts it, the reference is generated from it, the web types its answer by it.
 * `path` is below the api base, with `{id}` parameters. `answer` is the schema of `data`.
 * `errors`: refusals of its own, beside those that follow from the rest (a body that is refused, a login that is missing).
 * `shape`: `fields` are spread to the top level too, a `record` and a bare `list` stand in `data` alone.
 * `rows`: a list, whose field of that name is sent as a table to whoever accepts `text/csv`: all rows of the filter.
 * `previewAnswer`: what it answers with 200, doing nothing, to a query with `preview=1`.
 * `bareListForStaff`: admins and monitors get that field's list as `data` itself, its siblings beside it (the same source).
 * `forbidden`: fields that no caller of this call may set (400 naming them; `set.name`: inside of one), beside those of the
 * record that the body does not take; `forbiddenToUsers`: nor a user.
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

/** What a record shows and the body of its call does not take: a caller who sends it hears so. */
function notTaken({ shape, body, answer, multipart }: Route): string[] {
  if (shape !== 'record' || !(body instanceof z.ZodObject) || !(answer instanceof z.ZodObject)) return []
  const taken = new Set([...Object.keys(body.shape), multipart?.file])
  return Object.keys(answer.shape).filter((field) => !taken.has(field))
}

/** Keeps the schemas' own types; fields of the record that the body does not take are forbidden without being named. */
export function route<
  Params extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
  Answer extends z.ZodType = z.ZodUndefined
>(descriptor: Route<Params, Query, Body, Answer>): Route<Params, Query, Body, Answer> {
  const forbidden = [...new Set([...(descriptor.forbidden ?? []), ...notTaken(descriptor)])]
  return forbidden.length === 0 ? descriptor : { ...descriptor, forbidden }
}
