import { apiBasePath } from '@batti/contracts'
import type { Request, Response } from 'express'
import { forbidden } from '../../platform/app-error.ts'

const cookieName = 'batti_refresh'
const cookiePath = `${apiBasePath}/user`

export interface RefreshCookie {
  set(req: Request, res: Response, token: { refreshToken: string; expiresAt: number }): void
  clear(res: Response): void
  /** The token of the cookie; none where there are two. @throws AppError FORBIDDEN when the page that sent it is not ours. */
  read(req: Request): string | undefined
  /** The same where an access token says whose session it is: a foreign page's cookie counts as none. */
  readOrIgnore(req: Request): string | undefined
}

/**
 * The one cookie of the product. It is read by refresh and logout alone, and only from our own pages: SameSite=Strict
 * keeps other sites out, the Origin check keeps out other subdomains, which the browser calls the same site.
 */
export function createRefreshCookie(options: { https: boolean; ownOrigins: readonly string[] }): RefreshCookie {
  const attributes = { httpOnly: true, sameSite: 'strict', secure: options.https, path: cookiePath } as const

  const isOwnPage = (req: Request): boolean => {
    const origin = req.headers.origin
    if (origin === undefined) return false
    if (options.ownOrigins.includes(origin)) return true
    return URL.canParse(origin) && new URL(origin).host === req.headers.host
  }
  // A form on another site must be able neither to log a visitor in as somebody else nor to take the cookie away.
  const isForeignPage = (req: Request): boolean => req.headers.origin !== undefined && !isOwnPage(req)
  const tokenOf = (req: Request): string | undefined => {
    const cookies: unknown = req.cookies
    if (typeof cookies !== 'object' || cookies === null) return undefined
    // The browser does not say which of two another name of the same domain has set.
    if (String(req.headers.cookie).split(`${cookieName}=`).length > 2) return undefined
    const value: unknown = Object.getOwnPropertyDescriptor(cookies, cookieName)?.value
    return typeof value === 'string' ? value : undefined
  }

  return {
    set(req, res, { refreshToken, expiresAt }) {
      if (isForeignPage(req)) return
      res.cookie(cookieName, refreshToken, { ...attributes, expires: new Date(expiresAt) })
    },
    clear(res) {
      if (isForeignPage(res.req)) return
      res.clearCookie(cookieName, attributes)
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
