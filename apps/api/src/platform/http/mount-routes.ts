import { successBody, withoutControlCharacters, type MonitorPermission, type Route } from '@batti/contracts'
import { finished } from 'node:stream/promises'
import { Router, type Request, type RequestHandler, type Response } from 'express'
import type { Actor } from '../people/actor.ts'
import { AppError, forbidden, unauthenticated } from '../app-error.ts'
import { withOneDeadline } from '../store/deadline.ts'
import { Reply, type Call, type RouteHandler, type UploadKind } from './call.ts'
import { sendCsv, wantsCsv } from './csv.ts'
import type { FairShare } from './limits/fair-share.ts'
import { createRepeats, refuseUnknownRepeat } from './repeats.ts'
import { requestIdOf } from './request-log.ts'
import { checkBody, parseInput, refuseFileAsText } from './validate.ts'

export interface MountOptions {
  /** Returns the account of a bearer token; null when the token is missing, wrong, expired or its session has ended. */
  authenticate(bearer: string | undefined): Promise<Actor | null>
  /** Returns the actors that are still logged in, as they are now, by session id. */
  whoStays(actors: readonly Actor[]): Promise<Map<string, Actor>>
  /** Resolves when this instance knows what others knew of the caller's boards; undefined when there is nothing to wait for. */
  catchUp(actor: Actor): Promise<void> | undefined
  /** Streams the one file of a multipart body to disk. */
  uploads: Record<UploadKind, (field: string) => RequestHandler>
  /** Queues the calls of an account that has many in progress. */
  share: FairShare
  /** The same for calls that may wait for a board. */
  shareOfBoards: FairShare
}

/** Converts `{id}` in descriptors, as in OpenAPI, to Express's `:id`. */
const expressPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

/** Creates a router for exactly the given calls: authenticate, authorize, validate, call, answer in the envelope. */
export function mountRoutes(handlers: readonly RouteHandler[], options: MountOptions): Router {
  const router = Router({ strict: false })
  const repeats = createRepeats()
  for (const { route, handler, upload } of handlers) {
    const steps: RequestHandler[] = []
    const share = route.errors?.includes('DEVICE_NO_RESPONSE') === true ? options.shareOfBoards : options.share
    const guard: RequestHandler = async (req, res, next) => {
      res.locals['route'] = route.path
      const actor = await options.authenticate(bearerOf(req))
      authorize(route, actor)
      if (actor !== null) await options.catchUp(actor)
      req.actor = actor
      next()
    }
    // Calls that need no login are executed every time: they set cookies, and their answers have tokens.
    const isOpen = route.access.kind === 'public'
    const replay: RequestHandler = async (req, res, next) => {
      const earlier = isOpen ? undefined : repeats.earlier(req)
      if (earlier === undefined) {
        refuseUnknownRepeat(req)
        return next()
      }
      // An upload that is answered before it has arrived would break off, and be repeated once more.
      await finished(req.resume()).catch(() => undefined)
      answer(route, res, await earlier)
    }
    // Before an upload is read, so that a stranger cannot make the server store anything.
    steps.push(guard, replay)
    if (route.multipart !== undefined) steps.push(options.uploads[upload ?? 'image'](route.multipart.file))
    else if (route.body !== undefined) steps.push(refuseForms)
    steps.push(async (req, res) => {
      const run = (one: Call) => {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parsed by the schemas of the handler's own route
        const work = () => withOneDeadline(() => handler(one as Call<never, never, never>))
        return share(req.actor?.userId, work)
      }
      if (wantsCsv(route, req)) {
        const call = readCall(route, req, res)
        await sendCsv(route, res, async (page) => {
          if (page.page > 1) await authorizeAgain(route, req.actor, options)
          return run({ ...call, query: { ...Object(call.query), ...page } })
        })
        return
      }
      // That a call is invalid is an outcome, too: a repeated one gets the same answer.
      const outcome = async () => run(readCall(route, req, res))
      answer(route, res, await (isOpen ? outcome() : repeats.keep(req, outcome())))
    })
    router[route.method](expressPath(route.path), ...steps)
  }
  return router
}

/** Answers in the envelope, unless the handler has answered by itself. */
function answer(route: Route, res: Response, outcome: unknown): void {
  if (res.headersSent) return
  const reply = outcome instanceof Reply ? outcome : new Reply(outcome)
  const status = reply.options.status ?? route.status ?? 200
  const shape = reply.options.shape ?? route.shape ?? 'fields'
  const body = successBody(status, reply.options.message ?? route.message ?? 'OK', reply.data ?? null, {
    spread: shape === 'fields',
    beside: reply.options.beside ?? {}
  })
  res.status(status).type('json').end(JSON.stringify(body))
}

/** Refuses forms where none is parsed: the body would look empty. */
const refuseForms: RequestHandler = (req, _res, next) => {
  if (req.is('multipart/form-data') === 'multipart/form-data')
    throw new AppError('UNSUPPORTED_MEDIA', 'Send the body as application/json.')
  next()
}

export function bearerOf(req: Request): string | undefined {
  const header = req.headers.authorization
  return header !== undefined && /^bearer /i.test(header) ? header.slice('bearer '.length).trim() : undefined
}

/** Authorizes a call by role, and for a monitor by the permission that the call requires. */
function authorize(route: Route, actor: Actor | null): void {
  const { access } = route
  if (access.kind === 'public') return
  if (actor === null) throw unauthenticated()
  if (access.kind === 'account') return
  const allowed =
    (actor.role === 'admin' && access.admin) ||
    (actor.role === 'user' && access.user) ||
    (actor.role === 'monitor' && monitorMay(access.monitor, actor))
  if (!allowed) throw forbidden()
}

/** A long table is sent for minutes: it breaks off if its caller has logged out meanwhile, or may not see it any more. */
async function authorizeAgain(
  route: Route,
  actor: Actor | null | undefined,
  { whoStays }: Pick<MountOptions, 'whoStays'>
): Promise<void> {
  if (!actor) return
  const now = (await whoStays([actor])).get(actor.sessionId) ?? null
  authorize(route, now)
  // What it sees of each row depends on its role.
  if (now?.role !== actor.role) throw forbidden()
}

const monitorMay = (asked: MonitorPermission | 'any' | false, { permissions }: Actor): boolean =>
  asked === 'any' || (asked !== false && permissions.includes(asked))

function readCall(route: Route, req: Request, res: Request['res'] & object): Call {
  const actor = req.actor ?? null
  const body: unknown = req.body ?? {}
  const forbiddenFields = [
    ...(route.forbidden ?? []),
    ...(actor?.role === 'user' ? (route.forbiddenToUsers ?? []) : [])
  ]
  if (route.body !== undefined) checkBody(body, forbiddenFields)
  if (route.multipart !== undefined) refuseFileAsText(body, route.multipart.file)
  return {
    params: route.params === undefined ? undefined : parseInput(route.params, req.params),
    query: route.query === undefined ? undefined : parseInput(route.query, req.query),
    body: route.body === undefined ? undefined : parseInput(route.body, body),
    get actor() {
      if (actor === null) throw unauthenticated()
      return actor
    },
    ip: req.ip ?? '',
    userAgent: withoutControlCharacters((req.headers['user-agent'] ?? '').slice(0, 256)),
    requestId: requestIdOf(req),
    file: req.upload,
    http: { req, res }
  }
}
