import express from 'express'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import request from 'supertest'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { webPages, type WebPagesOptions } from './web-pages.ts'

let webDir = ''
beforeAll(() => {
  webDir = mkdtempSync(join(tmpdir(), 'batti-web-'))
  writeFileSync(join(webDir, 'index.html'), '<html><head><title>x</title></head><body></body></html>')
})
afterAll(() => rmSync(webDir, { recursive: true, force: true }))

const pageWith = async (options: Partial<WebPagesOptions>, path = '/user/devices/new') => {
  const app = express().use(webPages({ webDir, brand: 'batti', mqtt: { host: undefined, port: 8883 }, ...options }))
  return (await request(app).get(path).set('accept', 'text/html')).text
}

it('the page contains the address at which boards find the broker, so that the setup form need not guess', async () => {
  expect(await pageWith({ mqtt: { host: undefined, port: 24_001 } })).toContain(
    '<meta name="batti-mqtt-port" content="24001" />'
  )
  expect(await pageWith({ mqtt: { host: 'mqtt.example', port: 1 } })).toContain(
    '<meta name="batti-mqtt-host" content="mqtt.example" />'
  )
  expect(await pageWith({})).not.toContain('batti-mqtt-host')
})

it('the placeholder page for a web app that is not built contains it too', async () => {
  const page = await pageWith({ webDir: join(webDir, 'none'), mqtt: { host: undefined, port: 24_001 } }, '/')
  expect(page).toContain('not built yet')
  expect(page).toContain('<meta name="batti-mqtt-port" content="24001" />')
})

it('a brand is plain text in the page, whatever its characters', async () => {
  expect(await pageWith({ brand: `"><script>$'` })).not.toContain('<script>')
})

it.each(['/docs', '/docs?a=1', '/\\evil.example/%2f..', '//evil.example/%2f..'])(
  'a folder of the build is no page: %s is answered by the app, not with another address',
  async (path) => {
    mkdirSync(join(webDir, 'docs'), { recursive: true })
    const pages = webPages({ webDir, brand: 'batti', mqtt: { host: undefined, port: 8883 } })
    const app = express().use((req, _res, next) => {
      // As a raw client sends it; the library of the tests would write a slash for the backslash.
      req.url = path
      next()
    }, pages)
    const answer = await request(app).get('/').set('accept', 'text/html').expect(200)
    expect(answer.text).toContain('<title>x</title>')
  }
)

it('files that the build compressed are sent unchanged to clients that accept them', async () => {
  const content = 'plain '.repeat(100)
  mkdirSync(join(webDir, 'assets'))
  writeFileSync(join(webDir, 'assets/app-1.js'), content)
  writeFileSync(join(webDir, 'assets/app-1.js.br'), brotliCompressSync(content))
  writeFileSync(join(webDir, 'assets/app-1.js.gz'), gzipSync(content))
  const app = express().use(webPages({ webDir, brand: 'batti', mqtt: { host: undefined, port: 8883 } }))
  for (const [taken, sent] of [
    ['gzip, br', 'br'],
    ['gzip', 'gzip'],
    ['identity', undefined]
  ] as const) {
    const answer = await request(app).get('/assets/app-1.js').set('accept-encoding', taken).expect(200)
    expect(answer.headers['content-encoding']).toBe(sent)
    expect(answer.headers['content-type']).toContain('javascript')
    expect(answer.text).toBe(content)
  }
})

it('a build that replaces another is served from then on, and also the first one', async () => {
  const own = mkdtempSync(join(tmpdir(), 'batti-web-'))
  const app = express().use(
    webPages({ webDir: join(own, 'dist'), brand: 'batti', mqtt: { host: undefined, port: 8883 } })
  )
  const build = (name: string, at: number): void => {
    mkdirSync(join(own, name, 'assets'), { recursive: true })
    writeFileSync(join(own, name, 'index.html'), `<html><head></head><script src="/assets/${name}.js"></script></html>`)
    utimesSync(join(own, name, 'index.html'), at, at)
    writeFileSync(join(own, name, `assets/${name}.js.gz`), gzipSync(name))
    if (existsSync(join(own, 'dist'))) renameSync(join(own, 'dist'), join(own, 'aside'))
    renameSync(join(own, name), join(own, 'dist'))
  }
  try {
    await request(app).get('/').set('accept', 'text/html').expect(503)
    for (const [name, at] of [
      ['first', 1000],
      ['second', 2000]
    ] as const) {
      build(name, at)
      expect((await request(app).get('/').set('accept', 'text/html').expect(200)).text).toContain(`/assets/${name}.js`)
      const asset = await request(app).get(`/assets/${name}.js`).set('accept-encoding', 'gzip').expect(200)
      expect(asset.text).toBe(name)
    }
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
})
