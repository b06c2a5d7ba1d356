import { hourMs } from '@batti/kit/durations'
import express, { Router, type RequestHandler } from 'express'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { webManifest } from './web-manifest.ts'

export interface WebPagesOptions {
  /** The folder of the built web app. */
  webDir: string
  /** Passed to the app in a meta element, like the broker, so that one build serves every brand and address. */
  brand: string
  /** The broker for boards: its port, and its host if it differs from the page's. */
  mqtt: { host: string | undefined; port: number }
}

const yearS = 31_536_000

/** Serves the built web app: hashed files are cached forever, the page itself never. All other paths are routed by the app. */
export function webPages({ webDir, brand, mqtt }: WebPagesOptions): Router {
  const router = Router()
  const metaValues = {
    brand,
    'mqtt-port': String(mqtt.port),
    ...(mqtt.host === undefined ? {} : { 'mqtt-host': mqtt.host })
  }
  const metas = Object.entries(metaValues).map(
    ([name, content]) => `<meta name="batti-${name}" content="${escapeAttribute(content)}" />`
  )
  const withMetas = (html: string): string => html.replace('</head>', () => `${metas.join('')}</head>`)
  const manifest = JSON.stringify(webManifest(brand))
  router.get('/manifest.webmanifest', (_req, res) => void res.type('application/manifest+json').send(manifest))
  const build = readerOfBuild(webDir, withMetas)
  router.use(
    '/assets',
    precompressed(build),
    express.static(join(webDir, 'assets'), {
      etag: false,
      lastModified: false,
      immutable: true,
      maxAge: yearS * 1000,
      fallthrough: false,
      index: false,
      redirect: false
    })
  )
  router.use(express.static(webDir, { index: false, redirect: false, maxAge: hourMs }))
  router.get(/^\/(?!api\/|socket\.io\/|files\/|dev\/).*/, (req, res, next) => {
    const page = build()?.page
    // In development, Vite's page takes its meta elements from `/` here.
    if (page === undefined && req.path === '/') {
      res.status(503).type('html').send(withMetas(notBuilt))
      return
    }
    if (page === undefined || req.accepts('html') === false) {
      next()
      return
    }
    res.setHeader('Cache-Control', 'no-cache')
    res.type('html').send(page)
  })
  return router
}

interface Build {
  page: string
  /** Names of the assets and of their precompressed variants. */
  assets: ReadonlySet<string>
}

/** Returns the current build, which may be replaced while this process runs. Null if there is none. */
function readerOfBuild(webDir: string, withMetas: (html: string) => string): () => Build | null {
  const indexFile = join(webDir, 'index.html')
  const folder = join(webDir, 'assets')
  let build: Build | null = null
  let builtAt: number | null = null
  return () => {
    const changedAt = statSync(indexFile, { throwIfNoEntry: false })?.mtimeMs ?? null
    // During a replacement the file is missing for a moment: the last build stays in use.
    if (changedAt === null || changedAt === builtAt) return build
    build = {
      page: withMetas(readFileSync(indexFile, 'utf8')),
      assets: new Set(existsSync(folder) ? readdirSync(folder) : [])
    }
    builtAt = changedAt
    return build
  }
}

/** Serves the `.br` or `.gz` variant that the build put beside a file, if the browser accepts it. */
function precompressed(build: () => Build | null): RequestHandler {
  return (req, res, next) => {
    const name = req.path.slice(1)
    const assets = build()?.assets
    const encoding = (['br', 'gzip'] as const).find(
      (each) => assets?.has(`${name}.${endings[each]}`) === true && req.acceptsEncodings(each) !== false
    )
    if (encoding !== undefined) {
      res.type(extname(name))
      res.setHeader('Content-Encoding', encoding)
      res.vary('Accept-Encoding')
      req.url = `/${name}.${endings[encoding]}`
    }
    next()
  }
}
const endings = { br: 'br', gzip: 'gz' } as const

const notBuilt =
  '<!doctype html><html lang="en"><head><title>Batti</title></head><body>The web app is not built yet. Run: npm run build</body></html>'

const escapeAttribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
