import { systemClock } from '@batti/kit/clock'
import { createServer, type IncomingMessage } from 'node:http'
import { resolve } from 'node:path'
import { brokerForBoards } from '../config.ts'
import type { Feature } from '../feature.ts'
import type { Actor } from '../people/actor.ts'
import type { Platform } from '../platform.ts'
import { pingDatabase } from '../store/database.ts'
import { openAddressFilter, type AddressFilter } from './addresses/address-filter.ts'
import { createApp, type AppParts } from './app.ts'
import { answerBrokenRequests } from './broken-requests.ts'
import { clientAddress, requestedHost, type TrustProxy } from './addresses/client-address.ts'
import { closeServer } from './close-server.ts'
import { boundConnections, connectionsMax, endUnreadAnswers } from './limits/connection-limits.ts'
import { docsPages } from './pages/docs-pages.ts'
import { createFairShare } from './limits/fair-share.ts'
import { createOwnHosts } from './addresses/own-hosts.ts'
import { createOwnOrigins } from './addresses/own-origins.ts'
import { healthPages, type HealthOptions } from './pages/health-pages.ts'
import { handleInTurn } from './limits/requests-in-turn.ts'
import { endSlowBodies, longestRequestMs } from './limits/slow-bodies.ts'
import { webPages } from './pages/web-pages.ts'

interface WebServerDeps extends Pick<
  Platform,
  'config' | 'connection' | 'events' | 'log' | 'metrics' | 'publicUrl' | 'uploads'
> {
  features: readonly Feature[]
  sessions: Pick<AppParts, 'authenticate' | 'whoStays'>
  boards: { link: { catchUp(actor: Actor): Promise<void> | undefined } }
  addressFilter?: AddressFilter | undefined
  /** What must work besides the database for the product to be ready. */
  checks: HealthOptions['checks']
  optionalChecks: HealthOptions['optionalChecks']
  isStopping(): boolean
}

const repositoryDir = resolve(import.meta.dirname, '../../../../..')

/** engine.io ends sockets on other paths, but never closes them: a client that keeps its end open would occupy them forever. */
const isWebsocket = ({ headers, url }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket' && url?.startsWith('/socket.io/') === true

/** Creates the public server: calls and pages of every feature, health, documents and the web app. It does not listen yet. */
export function createWebServer(deps: WebServerDeps) {
  const { config, events, log, metrics, features } = deps
  const isOwnHost = createOwnHosts({ publicUrl: config.PUBLIC_URL, host: config.HOST, allowed: config.ALLOWED_HOSTS })
  const isOwnOrigin = createOwnOrigins({ publicUrl: deps.publicUrl, corsOrigins: config.CORS_ORIGINS })
  const app = createApp({
    log,
    metrics,
    handlers: features.flatMap(({ routes = [] }) => routes),
    authenticate: deps.sessions.authenticate,
    whoStays: deps.sessions.whoStays,
    catchUp: deps.boards.link.catchUp,
    uploads: deps.uploads,
    share: createFairShare(config.LIMIT_CALLS, systemClock),
    // More, because waiting for a board that does not answer costs nothing.
    shareOfBoards: createFairShare(config.LIMIT_CALLS * 4, systemClock),
    isOwnHost,
    addressGuard: (deps.addressFilter ?? openAddressFilter).guard,
    isStopping: deps.isStopping,
    onRefused: (refusal) => events.emit('refused', refusal),
    trustProxy: config.TRUST_PROXY,
    corsOrigins: config.CORS_ORIGINS,
    https: config.PUBLIC_URL?.startsWith('https:') ?? false,
    pages: [
      healthPages({
        checks: { database: () => pingDatabase(deps.connection), ...deps.checks },
        optionalChecks: deps.optionalChecks,
        isStopping: deps.isStopping
      }),
      ...features.flatMap(({ pages = [] }) => pages),
      docsPages({ referenceDir: resolve(repositoryDir, 'docs/reference') }),
      webPages({
        webDir: resolve(config.WEB_DIR ?? resolve(repositoryDir, 'apps/web/dist')),
        brand: config.BRAND,
        mqtt: brokerForBoards(config)
      })
    ]
  })
  const server = createServer(
    // Any other offered upgrade (`h2c`) is answered as plain HTTP/1.1.
    {
      shouldUpgradeCallback: isWebsocket,
      requestTimeout: longestRequestMs,
      headersTimeout: 10_000,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 2000
    },
    app
  )
  answerBrokenRequests(server)
  endSlowBodies(server)
  endUnreadAnswers(server)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what Express compiles the setting `trust proxy` to
  const trust = app.get('trust proxy fn') as TrustProxy
  const all = connectionsMax()
  const each = config.LIMIT_SOCKETS === 0 ? undefined : Math.ceil(all / 4)
  boundConnections(server, { all, each, isProxy: (address) => trust(address, 0) })

  const addressOf = (request: IncomingMessage): string => clientAddress(request, trust)

  return {
    server,
    clientAddress: addressOf,
    /** Whether the request's Host is one of ours. */
    isOwnHost: (request: IncomingMessage): boolean => isOwnHost(requestedHost(request, trust)),
    /** Whether the request comes from a page of ours. Apps send no Origin. */
    isOwnPage: (request: IncomingMessage): boolean => {
      const { origin } = request.headers
      return origin === undefined || isOwnOrigin(origin, requestedHost(request, trust))
    },
    start: () => handleInTurn(server, { addressOf }),
    /** Closes idle connections; requests in progress still get their answer. */
    async stop() {
      server.closeIdleConnections()
      await closeServer(server)
    }
  }
}
