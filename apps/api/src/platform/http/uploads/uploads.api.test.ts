import { readdir, readdirSync } from 'node:fs'
import { connect, type Server } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { crc32, deflateSync } from 'node:zlib'
import express from 'express'
import sharp from 'sharp'
import supertest from 'supertest'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApi, type TestApi } from '../../../testing/test-api.ts'
import { bearer, signUp, type Person } from '../../../testing/people.ts'
import { createErrorHandler } from '../error-handler.ts'
import { firmwareMaxBytes, pictureMaxBytes } from '@batti/contracts'
import { createUploads } from './uploads.ts'

let app: TestApi
let person: Person
beforeAll(async () => {
  app = await startApi()
  person = await signUp(app)
})
afterAll(() => app.stop())

const upload = (bytes: Buffer, name = 'me.png', type = 'image/png') =>
  app.http
    .patch('/api/v1/user/update-account')
    .set(...bearer(person))
    .attach('profileImage', bytes, { filename: name, contentType: type })
function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}
const picture = (width = 400, height = 300) => sharp({ create: { width, height, channels: 3, background: '#4a4fc4' } })

function pngChunk(type: string, body: Buffer): Buffer {
  const head = Buffer.concat([Buffer.from(type), body])
  const out = Buffer.alloc(12 + body.length)
  out.writeUInt32BE(body.length, 0)
  head.copy(out, 4)
  out.writeUInt32BE(crc32(head), 8 + body.length)
  return out
}
/** A PNG of a few hundred bytes whose header claims any size. */
function pngOf(width: number, height: number, isInterlaced = false): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, isInterlaced ? 1 : 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const data = deflateSync(Buffer.alloc(64))
  return Buffer.concat([signature, pngChunk('IHDR', header), pngChunk('IDAT', data), pngChunk('IEND', Buffer.alloc(0))])
}

test.each(['jpeg', 'png', 'webp', 'gif'] as const)('a %s is converted to a new WebP', async (format) => {
  const answer = await upload(await picture().toFormat(format).toBuffer()).expect(200)
  const image = await app.http.get(answer.body.data.profileImage.url).buffer().expect(200)
  expect(await sharp(image.body).metadata()).toMatchObject({ format: 'webp', width: 400, height: 300 })
})

test.each<[string, Buffer]>([
  ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
  ['SVG with a prologue', Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['BMP', Buffer.concat([Buffer.from('BM'), Buffer.alloc(200)])],
  ['PDF', Buffer.from('%PDF-1.7\n%âãÏÓ\n')],
  ['ZIP', Buffer.from('504b0304140000000000', 'hex')],
  ['ELF', Buffer.concat([Buffer.from('7f454c46020101', 'hex'), Buffer.alloc(64)])],
  ['text', Buffer.from('hello')],
  ['TIFF', Buffer.concat([Buffer.from('49492a0008000000', 'hex'), Buffer.alloc(64)])],
  ['ICO', Buffer.from('00000100010010100000010020006804000016000000', 'hex')],
  // An AVIF of 1 KB may take the decoder minutes and gigabytes.
  ['AVIF', await picture().avif({ effort: 0 }).toBuffer()],
  ['zeros', Buffer.alloc(4096)]
])('%s named me.png is refused by its first bytes', async (_name, bytes) => {
  const before = (await app.http.get('/api/v1/user/account').set(...bearer(person))).body.data
  const { body } = await upload(bytes).expect(415)
  expect(body.code).toBe('UNSUPPORTED_MEDIA')
  expect(body.errors).toEqual([{ path: 'profileImage', message: body.message }])
  expect((await app.http.get('/api/v1/user/account').set(...bearer(person))).body.data).toEqual(before)
})

test('a picture that is truncated, or only starts like one, is refused as unreadable', async () => {
  const whole = await picture(800, 600).png({ compressionLevel: 0 }).toBuffer()
  const { body } = await upload(whole.subarray(0, Math.floor(whole.length / 2))).expect(422)
  expect(body.errors).toEqual([{ path: 'profileImage', message: body.message }])
  await upload(Buffer.concat([whole.subarray(0, 64), Buffer.from('<script>alert(1)</script>'.repeat(20))])).expect(422)
})

test('a small file that must be held in memory as a whole may have fewer pixels', async () => {
  const { body } = await upload(pngOf(7000, 7000, true)).expect(422)
  expect(body.message).toContain('at most 40 megapixels')
})

test('a picture is not decoded for a form that is refused anyway', async () => {
  const form = (name: string) =>
    app.http.post('/api/v1/user/register').field('name', name).attach('profileImage', pngOf(30_000, 30_000), 'me.png')
  expect((await form('').expect(400)).body.errors[0].path).toBe('name')
})

test('uploads of an account, and of a stranger, are limited in ten minutes', async () => {
  const limited = await startApi({ env: { LIMIT_PICTURES: '2' } })
  const [one, another] = [await signUp(limited), await signUp(limited)]
  const jpeg = await picture().jpeg().toBuffer()
  const send = (who: Person) =>
    limited.http
      .patch('/api/v1/user/update-account')
      .set(...bearer(who))
      .attach('profileImage', jpeg, 'me.jpg')
  const first = (await send(one).expect(200)).body.data.profileImage.url
  const second = (await send(one).expect(200)).body.data.profileImage.url
  expect((await send(one).expect(429)).headers['retry-after']).toMatch(/^[0-9]+$/)
  await send(another).expect(200)
  // Only the last of the three is shown, and can be fetched.
  await limited.http.get(first).expect(404)
  await limited.http.get(second).expect(200)
  const signUpWith = () => limited.http.post('/api/v1/user/register').attach('profileImage', jpeg, 'me.jpg')
  await signUpWith().expect(400)
  await signUpWith().expect(400)
  await signUpWith().expect(429)
  await limited.stop()
})

test('concurrent uploads of one address are limited; the next one starts when one of them ends', async () => {
  const limited = await startApi({ env: { LIMIT_PICTURES: '60' } })
  const head = '--b\r\nContent-Disposition: form-data; name="profileImage"; filename="me.jpg"\r\n\r\n'
  const half = async () => {
    const socket = connect(portOf(limited.server), '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(
      `POST /api/v1/user/register HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 100000\r\n\r\n${head}`
    )
    await new Promise((resolve) => socket.write(Buffer.alloc(1000), resolve))
    return socket
  }
  const waiting = await Promise.all(Array.from({ length: 40 }, half))
  await expect.poll(() => list(join(limited.dataDir, 'uploads'))).toHaveLength(40)
  const jpeg = await picture().jpeg().toBuffer()
  const whole = () => limited.http.post('/api/v1/user/register').attach('profileImage', jpeg, 'me.jpg')
  expect((await whole().expect(429)).headers['retry-after']).toMatch(/^[0-9]+$/)
  // Without a file there is nothing to wait for.
  await limited.http.post('/api/v1/user/register').send({}).expect(400)
  for (const socket of waiting) socket.destroy()
  await expect.poll(async () => (await whole()).status).toBe(400)
  await limited.stop()
})

test('a small file that claims 900 megapixels is refused before it is decoded', async () => {
  const before = process.memoryUsage().rss
  const answer = await upload(pngOf(30_000, 30_000)).expect(422)
  expect(answer.body.message).toContain('pixels')
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024)
})

test('hidden data is removed: EXIF with the place, and a script after the end', async () => {
  const jpeg = await picture()
    .jpeg()
    .withMetadata({ orientation: 6 })
    .withExifMerge({ IFD3: { GPSLatitude: '28/1 12/1 0/1' }, IFD0: { Copyright: 'canary-copyright' } })
    .toBuffer()
  expect(jpeg.includes('canary-copyright')).toBe(true)
  const answer = await upload(Buffer.concat([jpeg, Buffer.from('<script>canary-script</script>')])).expect(200)
  const image = (await app.http.get(answer.body.data.profileImage.url).buffer().expect(200)).body as Buffer
  const metadata = await sharp(image).metadata()
  expect(metadata.exif).toBeUndefined()
  // Rotated upright, because the EXIF orientation is gone.
  expect([metadata.width, metadata.height]).toEqual([300, 400])
  expect(image.includes('canary')).toBe(false)
})

test('a picture of more than 5 MB answers 413, and nothing is stored', async () => {
  const jpeg = await picture().jpeg().toBuffer()
  await upload(Buffer.concat([jpeg, Buffer.alloc(pictureMaxBytes - jpeg.length)])).expect(200)
  const before = readdirSync(join(app.dataDir, 'files', 'images')).length
  const tooLarge = Buffer.concat([jpeg, Buffer.alloc(pictureMaxBytes + 1 - jpeg.length)])
  const { body } = await upload(tooLarge).expect(413)
  expect(body.errors).toEqual([{ path: 'profileImage', message: body.message }])
  expect(readdirSync(join(app.dataDir, 'files', 'images'))).toHaveLength(before)
})

test('a form of ten thousand fields, nested names, two files or a file in another field answers 400', async () => {
  const form = () => app.http.patch('/api/v1/user/update-account').set(...bearer(person))
  const jpeg = await picture().jpeg().toBuffer()
  const many = form()
  for (let index = 0; index < 10_000; index += 1) void many.field(`field-${index}`, 'x')
  await many.expect(400)
  await form().field('a[b][c][d][e]', 'x').expect(400)
  await form()
    .field(`x${'y'.repeat(200)}`, 'x')
    .expect(400)
  await form().attach('profileImage', jpeg, 'a.jpg').attach('profileImage', jpeg, 'b.jpg').expect(400)
  await form().attach('elsewhere', jpeg, 'a.jpg').expect(400)
  await form().field('name', 'x'.repeat(70_000)).expect(413)
})

test('a form without its end answers 400', async () => {
  const boundary = 'xxBOUNDARYxx'
  const body = `--${boundary}\r\nContent-Disposition: form-data; name="profileImage"; filename="a.png"\r\nContent-Type: image/png\r\n\r\nabc`
  await app.http
    .patch('/api/v1/user/update-account')
    .set(...bearer(person))
    .set('content-type', `multipart/form-data; boundary=${boundary}`)
    .send(body)
    .expect(400)
})

test('a picture that is interrupted half-way, again and again, leaves nothing behind and changes nothing', async () => {
  const images = () => readdirSync(join(app.dataDir, 'files', 'images')).toSorted()
  await upload(await picture().jpeg().toBuffer()).expect(200)
  const account = () => app.http.get('/api/v1/user/account').set(...bearer(person))
  const before = { images: images(), data: (await account()).body.data }
  const port = portOf(app.server)
  const [name, value] = bearer(person)
  const half = await picture(800, 600).png({ compressionLevel: 0 }).toBuffer()
  const head = [
    'PATCH /api/v1/user/update-account HTTP/1.1',
    'Host: localhost',
    `${name}: ${value}`,
    'Content-Type: multipart/form-data; boundary=b',
    `Content-Length: ${half.length}`,
    '',
    '--b',
    'Content-Disposition: form-data; name="name"',
    '',
    'Half',
    '--b',
    'Content-Disposition: form-data; name="profileImage"; filename="me.png"',
    'Content-Type: image/png',
    '',
    ''
  ].join('\r\n')
  await Promise.all(
    Array.from({ length: 40 }, async (_, index) => {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => undefined)
      await new Promise((resolve) => socket.once('connect', resolve))
      await new Promise((resolve) =>
        socket.write(Buffer.concat([Buffer.from(head), half.subarray(0, index * 10_000)]), resolve)
      )
      // In the middle of reading, and at the very beginning of it.
      if (index % 2 === 0) await new Promise((resolve) => setImmediate(resolve))
      socket.destroy()
    })
  )
  const open = promisify(app.server.getConnections.bind(app.server))
  await expect.poll(() => open()).toBeLessThan(5)
  expect({ images: images(), data: (await account()).body.data }).toEqual(before)
  await expect.poll(() => readdirSync(join(app.dataDir, 'uploads'))).toEqual([])
  const alarms = app
    .logged()
    .split('\n')
    .filter((line) => /"level":(50|60)/.test(line))
  expect(alarms.slice(0, 1)).toEqual([])
  await upload(await picture().jpeg().toBuffer()).expect(200)
})

test('a stranger’s upload to a guarded call is refused without being read', async () => {
  await app.http.patch('/api/v1/user/update-account').attach('profileImage', Buffer.alloc(1000), 'a.png').expect(401)
})

test('an empty file is not a picture, and the profile is not reported as changed', async () => {
  await upload(Buffer.alloc(0)).expect(400)
})

test('pictures are served so that a browser can only show them, and are cached forever', async () => {
  const { url } = (await upload(await picture(1000, 500).png().toBuffer()).expect(200)).body.data.profileImage
  const answer = await app.http.get(url).expect(200)
  expect(answer.headers).toMatchObject({
    'content-type': 'image/webp',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'public, max-age=31536000, immutable'
  })
  await app.http.get(url).set('if-none-match', String(answer.headers['etag'])).expect(304)
})

test('a picture is resized on request, never enlarged, and invalid sizes are refused', async () => {
  const { url } = (await upload(await picture(1000, 500).png().toBuffer()).expect(200)).body.data.profileImage
  const size = async (query: string) => {
    const image = await app.http.get(`${url}?${query}`).buffer().expect(200)
    const { width, height, format } = await sharp(image.body).metadata()
    return [width, height, format]
  }
  expect(await size('width=300&quality=60')).toEqual([300, 150, 'webp'])
  expect(await size('width=300&quality=60')).toEqual([300, 150, 'webp'])
  expect(await size('width=4000')).toEqual([1000, 500, 'webp'])
  expect(await size('quality=10')).toEqual([1000, 500, 'webp'])
  for (const query of ['width=0', 'width=-1', 'width=abc', 'width=99999', 'quality=0', 'quality=101']) {
    await app.http.get(`${url}?${query}`).expect(400)
  }
})

test.each(['nothing.webp', '..%2f..%2fetc%2fpasswd', '%2e%2e%2fsecret.webp', 'a.webp%00.png', '.webp'])(
  'the file %s is not found',
  async (name) => {
    await app.http.get(`/files/images/${name}`).expect(404)
  }
)

const list = promisify(readdir)

/** A server with one firmware call, to see what reaches its handler. */
function firmwareServer(folder: string, disk: { freeBytes?: () => number } = {}) {
  const server = express()
  server.post(
    '/firmware',
    createUploads({ folder, begin: () => undefined, countPicture: () => Promise.resolve(), ...disk }).firmware(
      'firmware'
    ),
    async (req, res) => {
      res.json({ ...req.upload, names: await list(folder) })
    }
  )
  server.use(createErrorHandler(pino({ level: 'silent' })))
  return server
}

test('firmware is streamed to a file that is removed after the answer unless it was moved', async () => {
  const folder = join(app.dataDir, 'firmware-test')
  const server = supertest(firmwareServer(folder))
  const bytes = Buffer.alloc(3_000_000, 7)
  const answer = await server.post('/firmware').attach('firmware', bytes, 'wall-1.4.2.bin').expect(200)
  expect(answer.body).toMatchObject({ originalName: 'wall-1.4.2.bin', size: bytes.length })
  expect(answer.body.names).toHaveLength(1)
  await expect.poll(() => list(folder)).toEqual([])
  await server.post('/firmware').attach('firmware', bytes, 'wall-1.4.2.exe').expect(415)
  await server.post('/firmware').attach('firmware', Buffer.alloc(0), 'wall-1.4.2.bin').expect(400)
  await server
    .post('/firmware')
    .attach('firmware', Buffer.alloc(firmwareMaxBytes + 1), 'wall-1.4.2.bin')
    .expect(413)
  await expect.poll(() => list(folder)).toEqual([])
})

test('a file leaves the space that deletions need on a full disk', async () => {
  const folder = join(app.dataDir, 'firmware-room')
  let freeBytes = 40_000_000
  const server = supertest(firmwareServer(folder, { freeBytes: () => freeBytes }))
  const bytes = Buffer.alloc(3_000_000, 7)
  await server.post('/firmware').attach('firmware', bytes, 'wall-1.4.2.bin').expect(200)
  await expect.poll(() => list(folder)).toEqual([])
  freeBytes -= 1_000_000
  const { body } = await server.post('/firmware').attach('firmware', bytes, 'wall-1.4.2.bin').expect(507)
  expect(body.code).toBe('STORAGE_FULL')
  expect(await list(folder)).toEqual([])
  // A file that announces more than the maximum is refused because of that.
  freeBytes = 80_000_000
  await server
    .post('/firmware')
    .attach('firmware', Buffer.alloc(firmwareMaxBytes * 2), 'wall-1.4.2.bin')
    .expect(413)
})

test('whether there is space for files is reported beside the dependencies of the server', async () => {
  const { body } = await app.http.get('/readyz')
  expect(body).toMatchObject({ dependencies: { disk: true }, degraded: [] })
})

test('on a full disk a form without a picture needs no space', async () => {
  const folder = join(app.dataDir, 'picture-room')
  const uploads = createUploads({
    folder,
    begin: () => undefined,
    countPicture: () => Promise.resolve(),
    freeBytes: () => 0
  })
  const server = express().post('/picture', uploads.image('picture'), (_req, res) => res.json({}))
  server.use(createErrorHandler(pino({ level: 'silent' })))
  const form = (name: string) =>
    supertest(server).post('/picture').attach('picture', Buffer.alloc(0), { filename: name })
  await form('').expect(200)
  await form('me.png').expect(507)
})

test('an upload that is interrupted again and again leaves no file behind', async () => {
  const folder = join(app.dataDir, 'firmware-abort')
  const listening = firmwareServer(folder).listen(0, '127.0.0.1')
  await new Promise((resolve) => listening.once('listening', resolve))
  const port = portOf(listening)
  const head = '--b\r\nContent-Disposition: form-data; name="firmware"; filename="a-1.0.0.bin"\r\n\r\n'
  await Promise.all(
    Array.from({ length: 60 }, async () => {
      const socket = connect(port, '127.0.0.1')
      await new Promise((resolve) => socket.once('connect', resolve))
      socket.on('error', () => undefined)
      socket.write(
        `POST /firmware HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000000\r\n\r\n${head}`
      )
      socket.write(Buffer.alloc(50_000))
      await new Promise((resolve) => setImmediate(resolve))
      socket.destroy()
    })
  )
  // Every connection has ended by then.
  await new Promise((resolve) => listening.close(resolve))
  await expect.poll(() => list(folder)).toEqual([])
})
