import express from 'express'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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

it('the page says where boards find the broker, so that the setup form need not guess', async () => {
  expect(await pageWith({ mqtt: { host: undefined, port: 24_001 } })).toContain(
    '<meta name="batti-mqtt-port" content="24001" />'
  )
  expect(await pageWith({ mqtt: { host: 'mqtt.example', port: 1 } })).toContain(
    '<meta name="batti-mqtt-host" content="mqtt.example" />'
  )
  expect(await pageWith({})).not.toContain('batti-mqtt-host')
})

it('the page that stands in for a web app that is not built says it too', async () => {
  const page = await pageWith({ webDir: join(webDir, 'none'), mqtt: { host: undefined, port: 24_001 } }, '/')
  expect(page).toContain('not built yet')
  expect(page).toContain('<meta name="batti-mqtt-port" content="24001" />')
})

it('a brand stays a word in the page, whatever it is made of', async () => {
  expect(await pageWith({ brand: `"><script>$'` })).not.toContain('<script>')
})

it('what the build compressed is sent as it is, to whoever takes it', async () => {
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
