import { freePort } from '@batti/kit/node/ports'
import { createFakeClock, until } from '@batti/kit/testing'
import { createServer, type IncomingMessage, type Server, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createBoard, type Board } from '../board/board.ts'
import { createSharedResources } from '../board/shared-resources.ts'
import { setupModeMs } from './setup-mode.ts'

const clock = createFakeClock(1_800_000_000_000)
let board: Board
let silentServer: Server
let url = ''

beforeEach(async () => {
  // The address in the form accepts the connection and never answers.
  silentServer = createServer(() => undefined)
  await new Promise<void>((resolve) => silentServer.listen(0, '127.0.0.1', resolve))
  board = createBoard({
    model: 'BTF',
    mac: '34987A0C51E2',
    name: 'Bed <room>',
    shared: createSharedResources({ clock }),
    // A port that the system gives to nobody else while the plug is pulled.
    setup: { host: '127.0.0.1', port: await freePort() }
  })
  await board.restorePower()
  await board.when(({ phase }) => phase === 'setup')
  url = board.state().setupUrl ?? ''
})
afterEach(async () => {
  await board.close()
  silentServer.closeAllConnections()
  silentServer.close()
})

const fields = () => ({
  ssid: 'Himal <2G>',
  password: 'canary-wifi-password',
  userId: '64f000000000000000000001.ABCD-EFGH',
  deviceId: '',
  serverUrl: '127.0.0.1',
  serverPort: String((silentServer.address() as { port: number }).port),
  otherUrl: '/api/v1/device-auth',
  mqttServerUrl: '127.0.0.1',
  mqttServerPort: '8883',
  activeColor: 'Aqua Blue',
  timezone: 'Asia/Kathmandu'
})
const post = (form: Record<string, string>, init: RequestInit = {}) =>
  fetch(new URL('/setupconfig', url), { method: 'POST', body: new URLSearchParams(form), ...init })

describe('the setup page', () => {
  test('is a form with every field and its defaults', async () => {
    const answer = await fetch(url)
    const html = await answer.text()
    expect(answer.status).toBe(200)
    for (const name of Object.keys(fields())) expect(html).toMatch(new RegExp(`name="${name}"`))
    for (const value of ['49998', '8883', '/api/v1/device-auth', 'Asia/Kathmandu'])
      expect(html).toContain(`value="${value}"`)
    expect(html).toContain('aria-describedby="ssid-hint"')
    expect(html).toContain('<p class="hint" id="ssid-hint">Boards hear 2.4 GHz networks only.</p>')
    expect(html).toContain('<option selected>Aqua Blue</option>')
    expect(html).toContain('Bed &lt;room&gt;')
    expect(answer.headers.get('content-security-policy')).toMatch(/default-src 'none'.*form-action 'self'/)
    expect(answer.headers.get('content-security-policy')).not.toContain('unsafe')
  })

  test('accepts a valid form once, says what happens next and never shows the password', async () => {
    const answer = await post(fields())
    const html = await answer.text()
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(html).toContain('What happens next')
    expect(html).toContain('Himal &lt;2G&gt;')
    expect(html).not.toContain('canary-wifi-password')
    expect(board.state()).toMatchObject({ activeColor: 'Aqua Blue', timezone: 'Asia/Kathmandu', setupEndsAt: null })

    const again = await post({ ...fields(), ssid: 'Evil' })
    expect(again.status).toBe(403)
    expect((await fetch(url)).status).toBe(403)
    expect(JSON.stringify(board.state())).not.toContain('Evil')
  })

  test('configures the board as typed, which asks the server in the form for its credential', async () => {
    let asked: { url: string | undefined; body: unknown } | null = null
    silentServer.once('request', (sent: IncomingMessage) => {
      void json(sent).then((body) => (asked = { url: sent.url, body }))
    })
    // Eight blanks are a Wi-Fi password, too.
    const form = { ...fields(), password: ' '.repeat(8), activeColor: 'violet', timezone: 'Europe/Berlin' }
    expect((await post({ ...form, otherUrl: '/elsewhere/auth' })).status).toBe(200)
    expect(board.state()).toMatchObject({ activeColor: 'violet', timezone: 'Europe/Berlin' })
    const question = await until('the question for a credential', () => {
      clock.advance(100)
      return asked
    })
    expect(question).toMatchObject({
      url: '/elsewhere/auth',
      body: { userId: fields().userId, activeColor: 'violet', timezone: 'Europe/Berlin' }
    })
  })

  test('says how long it is open, also beside a fault', async () => {
    expect(await (await fetch(url)).text()).toContain('Setup mode ends in about 10 minutes.')
    clock.advance(setupModeMs - 60_000)
    const answer = await post({ ...fields(), ssid: '' })
    expect(await answer.text()).toContain('Setup mode ends in about 1 minute.')
  })

  test('is neither stored nor interpreted by a browser or proxy', async () => {
    const { headers } = await post(fields())
    for (const [name, value] of [
      ['cache-control', 'no-store'],
      ['x-content-type-options', 'nosniff'],
      ['referrer-policy', 'no-referrer'],
      ['connection', 'close']
    ] as const)
      expect(headers.get(name)).toBe(value)
  })

  test('accepts a form of any client that names its type, and answers HEAD without a page', async () => {
    const head = await fetch(url, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(1000)
    const headers = { 'content-type': 'Application/X-WWW-Form-Urlencoded ; charset=utf-8' }
    expect((await post(fields(), { headers })).status).toBe(200)
  })

  test('names every fault, keeps the input except the password, and stays in setup mode', async () => {
    const answer = await post({ ...fields(), ssid: '', serverPort: '70000', timezone: 'Mars/Olympus', userId: ' ' })
    const html = await answer.text()
    expect(answer.status).toBe(400)
    for (const text of ['SSID is required', 'Server port must be a number from 1 to 65535', 'Pairing code is required'])
      expect(html).toContain(text)
    expect(html).toContain('value="70000"')
    expect(html).not.toContain('canary-wifi-password')
    const zone = await post({ ...fields(), timezone: '"><script>' })
    expect(zone.status).toBe(400)
    const zoneHtml = await zone.text()
    expect(zoneHtml).toContain('is not one that this board knows')
    expect(zoneHtml).not.toContain('<script>')
    expect((await post(fields())).status).toBe(200)
  })

  test('names a field once, whatever is wrong with it', async () => {
    const html = await (await post({ ...fields(), ssid: 'हिमाल'.repeat(10) })).text()
    expect(html).toContain('<h2>One thing is not right yet</h2>')
    expect(html).toContain('SSID is at most 32 characters')
    expect(html).not.toContain('SSID is at most 32 bytes')
  })

  test.each(['ssid', 'password', 'userId', 'serverUrl', 'serverPort', 'otherUrl', 'mqttServerUrl', 'mqttServerPort'])(
    'refuses a form without %s',
    async (name) => {
      const { [name as 'ssid']: _, ...rest } = fields()
      const answer = await post(rest)
      expect(answer.status).toBe(400)
      expect(await answer.text()).toMatch(/(is required|must be a number)/)
    }
  )

  test.each([
    ['serverUrl', 'Server address must be a name or address alone', 'a b'],
    ['serverUrl', 'Server address must be a name or address alone', '192.168.1.20:49998'],
    ['serverUrl', 'Server address must be a name or address alone', 'http://batti.local/api'],
    ['serverUrl', 'Server address is at most 253 characters', 'x'.repeat(254)],
    ['mqttServerUrl', 'MQTT address must be a name or address alone', 'mqtts://batti.local'],
    ['otherUrl', 'API path is at most 256 characters', '/x'.repeat(129)],
    ['userId', 'Pairing code is at most 128 characters', 'x'.repeat(129)],
    ['activeColor', 'Light colour is at most 64 characters', 'x'.repeat(65)]
  ])('says of a wrong %s “%s” and stays in setup mode', async (name, fault, value) => {
    const answer = await post({ ...fields(), [name]: value })
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(fault)])
    expect((await post(fields())).status).toBe(200)
  })

  test.each(['batti.local', 'http://192.168.1.20', 'https://batti.example/', 'fd00::1', 'http://[fd00::1]', 'my_nas'])(
    'accepts the server address %s',
    async (serverUrl) => {
      expect((await post({ ...fields(), serverUrl })).status).toBe(200)
    }
  )

  test('accepts a Wi-Fi name of 32 bytes, and no longer one, in any script', async () => {
    const long = await post({ ...fields(), ssid: 'é'.repeat(17) })
    expect([long.status, await long.text()]).toEqual([400, expect.stringContaining('at most 32 bytes')])
    expect((await post({ ...fields(), ssid: 'é'.repeat(16) })).status).toBe(200)
  })

  test('accepts the required fields alone', async () => {
    const { activeColor: _, timezone: __, deviceId: ___, ...required } = fields()
    expect((await post(required)).status).toBe(200)
    expect(board.state()).toMatchObject({ activeColor: 'Aqua Blue', timezone: 'Asia/Kathmandu' })
  })

  test('is closed ten minutes after the power came on, and open again after the plug was pulled', async () => {
    clock.advance(setupModeMs - 1)
    expect((await fetch(url)).status).toBe(200)
    clock.advance(1)
    expect((await post(fields())).status).toBe(403)
    expect(board.state().phase).toBe('setup-over')
    board.cutPower()
    await expect(fetch(url)).rejects.toThrow('fetch failed')
    await board.restorePower()
    await board.when(({ phase }) => phase === 'setup')
    expect(board.state().setupUrl).toBe(url)
    expect((await post(fields())).status).toBe(200)
  })

  test('refuses other requests', async () => {
    expect(
      (await post(fields(), { body: JSON.stringify(fields()), headers: { 'content-type': 'application/json' } })).status
    ).toBe(415)
    expect((await post({ ...fields(), ssid: 'x'.repeat(20_000) })).status).toBe(413)
    const got = await fetch(new URL('/setupconfig', url))
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST'])
    for (const page of [url, `${url}?x=1`]) {
      const posted = await fetch(page, { method: 'POST' })
      expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET'])
    }
    expect((await fetch(new URL('/nothing', url))).status).toBe(404)
    expect(board.state().phase).toBe('setup')
  })

  test('survives a client that disconnects in the middle', async () => {
    const half = request(new URL('/setupconfig', url), {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '500' }
    })
    half.on('error', () => undefined)
    half.write('ssid=Himal')
    await new Promise((resolve) => half.once('socket', (socket) => socket.once('connect', resolve)))
    half.destroy()
    expect((await post(fields())).status).toBe(200)
  })
})
