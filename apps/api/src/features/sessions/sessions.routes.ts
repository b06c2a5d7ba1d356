import { endSession, listSessions, logout, refreshToken } from '@batti/contracts'
import type { Audit } from '../../platform/audit.ts'
import { on, type RouteHandler } from '../../platform/http/call.ts'
import { bearerOf } from '../../platform/http/mount-routes.ts'
import { sessionExpired } from './actors.service.ts'
import type { RefreshCookie } from './refresh-cookie.ts'
import type { SessionsService } from './sessions.service.ts'

export function sessionRoutes(options: {
  sessions: SessionsService
  cookie: RefreshCookie
  audit: Audit
}): RouteHandler[] {
  const { sessions, cookie, audit } = options
  return [
    on(refreshToken, async (call) => {
      const { req, res } = call.http
      const token = call.body.refreshToken ?? cookie.read(req)
      if (token === undefined) throw sessionExpired()
      const pair = await sessions.refresh(token, call)
      cookie.set(req, res, pair)
      return { accessToken: pair.accessToken, refreshToken: pair.refreshToken }
    }),
    on(logout, async (call) => {
      const { req, res } = call.http
      const bearer = bearerOf(req)
      const token = call.body.refreshToken ?? (bearer === undefined ? cookie.read(req) : cookie.readOrIgnore(req))
      await sessions.logout({ refreshToken: token, bearer }, call)
      cookie.clear(res)
      // Cached pages and pictures must not be available to the next person at this browser.
      res.setHeader('Clear-Site-Data', '"cache"')
      return undefined
    }),
    on(listSessions, async (call) => ({ sessions: await sessions.list(call.actor) })),
    on(endSession, async (call) => {
      const { id } = call.params
      const write = { action: 'user.end-session', kind: 'session', id, find: sessions.auditSubject } as const
      await audit(call, { ...write, byAnybody: true }, () => sessions.end(call.actor, id, call))
      return undefined
    })
  ]
}
