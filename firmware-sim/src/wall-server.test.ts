import { listen } from '@batti/kit/node/listen'
import { request } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createSharedResources } from './board/shared-resources.ts'
import type { BoardView } from './board/board-view.ts'
import { createFleet, type Fleet } from './fleet.ts'
import { createWallServer } from './wall-server.ts'

let fleet: Fleet
let wall: ReturnType<typeof createWallServer>
let base = ''

beforeEach(async () => {
  fleet = createFleet({
    shared: createSharedResources(),
    folder: null,
    host: '127.0.0.1',
    historyLimit: 100,
    joinMs: 0,
    faults: {}
  })
  wall = createWallServer(fleet, '127.0.0.1')
  base = `http://127.0.0.1:${await listen(wall.server)}`
})
afterEach(async () => {
  await wall.close()
  await fleet.close()
})

test('the page links to the app if its address is known', async () => {
  const page = async (at: string) => (await fetch(at)).text()
  expect(await page(base)).not.toContain('Open the app')
  const linked = createWallServer(fleet, '127.0.0.1', new URL('http://127.0.0.1:49998'))
  const own = `http://127.0.0.1:${await listen(linked.server)}`
  expect(await page(own)).toContain('href="http://127.0.0.1:49998/"')
  await linked.close()
})

test('labels beside the outlets are shown', async () => {
  const { body } = await call('POST', 'boards', { model: 'BT4', labels: ['Ceiling lamp', 'Reading lamp'] })
  expect((body['outlets'] as { label: string | null }[]).map(({ label }) => label)).toEqual([
    'Ceiling lamp',
    'Reading lamp',
    null,
    null
  ])
})

async function call(
  method: string,
  path: string,
  body?: unknown
): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await fetch(`${base}/api/${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

/** With a raw socket, because fetch does not let a test choose its Host. */
function rawStatus(method: string, path: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${base}${path}`,
      { method, headers: { 'content-type': 'application/json', ...headers } },
      (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      }
    )
    sent.on('error', reject)
    sent.end(method === 'POST' ? '{"model":"BT1"}' : undefined)
  })
}

async function newBoard(model = 'BTF'): Promise<string> {
  const { body } = await call('POST', 'boards', { model })
  await fleet.find(String(body['mac']))?.when(({ phase }) => phase === 'setup')
  return String(body['mac'])
}

describe('the control API', () => {
  test('creates a new board that waits at its setup page', async () => {
    const made = await call('POST', 'boards', { model: 'BT4', name: 'Kitchen wall', mac: '34-98-7a-00-00-01' })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      mac: '34:98:7A:00:00:01',
      name: 'Kitchen wall',
      model: 'BT4',
      powered: true,
      paired: false
    })
    expect((await fetch(String(made.body['setupUrl']))).status).toBe(200)
    expect((await call('GET', 'boards')).body['boards']).toMatchObject([{ mac: '34:98:7A:00:00:01' }])
    expect((await call('POST', 'boards', { model: 'BT4', mac: '34987A000001' })).status).toBe(409)
  })

  test('presses buttons, turns knobs, pulls plugs', async () => {
    const mac = await newBoard()
    expect((await call('POST', `boards/${mac}/press`, { index: 1 })).body['switch']).toEqual([
      false,
      true,
      false,
      false
    ])
    expect((await call('POST', `boards/${mac}/level`, { index: 2, speed: 200 })).body).toMatchObject({
      switch: [false, true, true, false],
      speed: [0, 0, 200, 0]
    })
    expect((await call('POST', `boards/${mac}/power`, { on: false })).body).toMatchObject({
      powered: false,
      phase: 'off'
    })
    expect((await call('POST', `boards/${mac}/press`, { index: 1 })).status).toBe(409)
    expect((await call('POST', `boards/${mac}/power`, { on: true })).body).toMatchObject({ powered: true })
    const { body } = await call('GET', `boards/${mac}/history`)
    expect(body['history']).toContainEqual(expect.objectContaining({ kind: 'event', what: 'power cut' }))
  })

  test('sets the given faults and keeps the others', async () => {
    const mac = await newBoard()
    await call('POST', `boards/${mac}/faults`, { latencyMs: 200 })
    expect((await call('POST', `boards/${mac}/faults`, { silent: true })).body['faults']).toMatchObject({
      latencyMs: 200,
      silent: true,
      ackLoss: 0
    })
  })

  test('deletes a board', async () => {
    const mac = await newBoard()
    expect((await call('DELETE', `boards/${mac}`)).status).toBe(200)
    expect((await call('GET', `boards/${mac}`)).status).toBe(404)
    expect((await call('DELETE', `boards/${mac}`)).status).toBe(404)
  })

  test.each([
    ['POST', 'boards', { model: 'BT9' }, 400],
    ['POST', 'boards', { model: 'BT4', extra: 1 }, 400],
    ['POST', 'boards', { model: 'BT4', mac: 'not a mac' }, 409],
    ['POST', 'boards/MAC/press', { index: '1' }, 400],
    ['POST', 'boards/MAC/press', { index: 63 }, 409],
    ['POST', 'boards/MAC/fan', { index: 2, speed: 256 }, 400],
    ['POST', 'boards/MAC/level', { index: 0, speed: 5 }, 409],
    ['POST', 'boards/MAC/power', { on: 'yes' }, 400],
    ['POST', 'boards/MAC/faults', { ackLoss: 2 }, 400],
    ['POST', 'boards/MAC/faults', { nonsense: true }, 400],
    ['POST', 'boards/MAC/constructor', {}, 404],
    ['GET', 'boards/MAC/press', undefined, 405],
    ['GET', 'boards/00:00:00:00:00:09', undefined, 404],
    ['GET', 'boards/%E0%A4%A', undefined, 404],
    ['GET', 'nothing', undefined, 404]
  ])('%s %s %j is answered %i with a sentence', async (method, path, body, status) => {
    const mac = await newBoard()
    const answer = await call(method, path.replace('MAC', mac), body)
    expect(answer.status).toBe(status)
    expect(answer.body['message']).toEqual(expect.any(String))
  })

  test('answers HEAD as it answers GET, without the body', async () => {
    const answer = await fetch(`${base}/api/boards`, { method: 'HEAD' })
    expect([answer.status, await answer.text()]).toEqual([200, ''])
    expect((await fetch(`${base}/api/nothing`, { method: 'HEAD' })).status).toBe(404)
  })

  test('refuses bodies that are not JSON, or too long', async () => {
    const send = (body: string, type: string) =>
      fetch(`${base}/api/boards`, { method: 'POST', body, headers: { 'content-type': type } })
    expect((await send('{"model":', 'application/json')).status).toBe(400)
    expect((await send('{"model":"BT1"}', 'text/plain')).status).toBe(415)
    expect((await send(JSON.stringify({ model: 'BT1', name: 'x'.repeat(20_000) }), 'application/json')).status).toBe(
      413
    )
    expect(fleet.list()).toEqual([])
  })
})

describe('strangers', () => {
  test('cannot press buttons from a page of another site', async () => {
    expect(await rawStatus('POST', '/api/boards', { origin: 'https://evil.example' })).toBe(403)
    expect(await rawStatus('POST', '/api/boards', { origin: 'null' })).toBe(403)
    expect(await rawStatus('POST', '/api/boards', { 'sec-fetch-site': 'cross-site' })).toBe(403)
    expect(fleet.list()).toEqual([])
    expect(await rawStatus('POST', '/api/boards', { origin: base })).toBe(201)
  })

  test('cannot reach the wall through a host name of theirs that points here', async () => {
    for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:80']) {
      expect(await rawStatus('GET', '/api/boards', { host })).toBe(403)
    }
    expect(await rawStatus('GET', '/api/boards', { host: 'localhost:1' })).toBe(200)
  })
})

describe('the page', () => {
  test('comes with a strict policy, and every file it asks for', async () => {
    const answer = await fetch(`${base}/`)
    const html = await answer.text()
    expect(answer.headers.get('content-security-policy')).toMatch(
      /default-src 'none'; script-src 'self'; style-src 'self'/
    )
    expect(html).not.toMatch(/ style="| onclick=/)
    const scripts = ['/wall.js', '/board-card.js', '/outlets.js', '/icons.js']
    const sources = await Promise.all(scripts.map(async (path) => (await fetch(base + path)).text()))
    const wanted = [
      ...html.matchAll(/(?:src|href)="(\/[^"]+)"/g),
      ...sources.join('\n').matchAll(/from '\.(\/[^']+)'/g)
    ].map(([, path]) => path)
    expect(wanted).toContain('/wall.css')
    const statuses = await Promise.all(wanted.map(async (path) => [path, (await fetch(`${base}${path}`)).status]))
    expect(statuses.filter(([, status]) => status !== 200)).toEqual([])
    for (const path of ['/../package.json', '/wall/.oxlintrc.json', '/%2e%2e/main.ts', '/constructor'])
      expect((await fetch(base + path)).status).toBe(404)
  })

  test('receives every change as it happens', async () => {
    const mac = await newBoard()
    const stop = new AbortController()
    const stream = await fetch(`${base}/api/events`, { signal: stop.signal })
    let text = ''
    const reading = (async () => {
      for await (const chunk of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) text += chunk
    })().catch(() => undefined)
    const seen = (event: string): BoardView[] =>
      [...text.matchAll(new RegExp(`event: ${event}\\ndata: (.*)\\n`, 'g'))].map(
        ([, data]) => JSON.parse(data ?? 'null') as BoardView
      )
    await expect.poll(() => seen('boards')).toHaveLength(1)
    await call('POST', `boards/${mac}/press`, { index: 0 })
    await expect.poll(() => seen('board').at(-1)?.switch[0]).toBe(true)
    await call('DELETE', `boards/${mac}`)
    await expect.poll(() => seen('removed')).toEqual([{ mac }])
    stop.abort()
    await reading
  })

  test('reports that it is healthy', async () => {
    expect(await (await fetch(`${base}/healthz`)).json()).toEqual({ status: 'ok', boards: 0 })
  })
})
