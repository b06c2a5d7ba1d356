import express, { Router } from 'express'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Swagger UI's own start script with our description; a file, because the page may run no inline script. */
const initializer = `window.onload = () => {
  window.ui = SwaggerUIBundle({
    url: '/docs/openapi.json',
    dom_id: '#swagger-ui',
    deepLinking: true,
    persistAuthorization: true,
    presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
    layout: 'BaseLayout'
  })
}
`

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Batti API</title>
    <link rel="stylesheet" href="/docs/ui/swagger-ui.css" />
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="/docs/ui/swagger-ui-bundle.js"></script>
    <script src="/docs/ui/swagger-ui-standalone-preset.js"></script>
    <script src="/docs/ui/initializer.js"></script>
  </body>
</html>
`

/** `/docs`: the generated reference, and a page to try calls on. `referenceDir` holds `openapi.json` and its kin. */
export function docsPages({ referenceDir }: { referenceDir: string }): Router {
  const router = Router({ strict: true })
  const uiDir = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  router.get(['/docs', '/docs/'], (_req, res) => {
    res.type('html').send(page)
  })
  router.get('/docs/ui/initializer.js', (_req, res) => {
    res.type('text/javascript').send(initializer)
  })
  for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js', 'swagger-ui-standalone-preset.js']) {
    router.get(`/docs/ui/${file}`, (_req, res) => {
      res.sendFile(join(uiDir, file), { maxAge: 86_400_000 })
    })
  }
  if (existsSync(referenceDir)) router.use('/docs', express.static(referenceDir, { index: false, redirect: false }))
  return router
}
