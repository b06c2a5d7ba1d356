import { apiBasePath } from '@batti/contracts'
import type { Request, Response } from 'express'
import { forbidden } from '../../platform/app-error.ts'
import type { IsOwnOrigin } from '../../platform/http/addresses/own-origins.ts'

const cookieName = 'batti_refresh'
const cookiePath = `${apiBasePath}/user`

export interface RefreshCookie {
  set(req: Request, res: Response, token: { refreshToken: string; expiresAt: number }): void
  clear(res: Response): void
  /** Returns the token of the cookie; none if there are two. @throws AppError FORBIDDEN when the sending page is not ours. */
  read(req: Request): string | undefined
  /** The same where an access token identifies the session: a foreign page's cookie is ignored. */
  readOrIgnore(req: Request): string | undefined
}

/**
 * The only cookie of the product. Only refresh and logout read it, and only from our own pages: SameSite=Strict excludes
 * other sites, and the Origin check excludes other subdomains, which browsers treat as the same site.
 */
export function createRefreshCookie(options: { https: boolean; isOwnOrigin: IsOwnOrigin }): RefreshCookie {
  const attributesFor = (req: Request) =>
    ({ httpOnly: true, sameSite: 'strict', secure: options.https || req.secure, path: cookiePath }) as const

  const isOwnPage = (req: Request): boolean => {
    const origin = req.headers.origin
    return origin !== undefined && options.isOwnOrigin(origin, req.host)
  }
  // A form on another site must neither log a visitor in as somebody else nor delete the cookie.
  const isForeignPage = (req: Request): boolean => req.headers.origin !== undefined && !isOwnPage(req)
  const tokenOf = (req: Request): string | undefined => {
    const cookies: unknown = req.cookies
    if (typeof cookies !== 'object' || cookies === null) return undefined
    // With two cookies, it is unknown which one another subdomain has set.
    if (String(req.headers.cookie).split(`${cookieName}=`).length > 2) return undefined
    const value: unknown = Object.getOwnPropertyDescriptor(cookies, cookieName)?.value
    return typeof value === 'string' ? value : undefined
  }

  return {
    set(req, res, { refreshToken, expiresAt }) {
      if (isForeignPage(req)) return
      res.cookie(cookieName, refreshToken, { ...attributesFor(req), expires: new Date(expiresAt) })
    },
    clear(res) {
      const { req } = res
      if (isForeignPage(req)) return
      res.clearCookie(cookieName, attributesFor(req))
    },
    read(req) {
      const token = tokenOf(req)
      if (token === undefined) return undefined
      if (!isOwnPage(req)) throw forbidden('The session cookie is accepted from our own pages only.')
      return token
    },
    readOrIgnore: (req) => (isOwnPage(req) ? tokenOf(req) : undefined)
  }
}
