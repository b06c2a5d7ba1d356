import { createHash, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto'
import { readdir, rename, rm, writeFile } from 'node:fs/promises'
import { mkdtempSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { firmwareMaxBytes, type FirmwareFileRecord } from '@batti/contracts'
import { keyIdOf, signImage } from '@batti/firmware/image-block'
import { until } from '@batti/kit/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startProduct, type Person, type TestProduct } from '../../testing/product.ts'
import { createUpdatableBoard } from '../../testing/updatable-board.ts'

interface Answer {
  status: number
  body: { message: string; code: string; data: FirmwareFileRecord; errors?: { path: string }[] }
}

/** Uploads like the page does. */
function uploader(product: TestProduct, as: () => Person) {
  return async (filename: string, bytes: Buffer, fields: Record<string, string> = {}): Promise<Answer> => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    form.append('firmware', new Blob([new Uint8Array(bytes)]), filename)
    const answer = await fetch(`${product.url}/api/v1/device-firmware-files`, {
      method: 'POST',
      headers: { authorization: `Bearer ${as().token}` },
      body: form
    })
    return { status: answer.status, body: (await answer.json()) as Answer['body'] }
  }
}
const listOf = async (product: TestProduct, as: Person, query = ''): Promise<FirmwareFileRecord[]> =>
  ((await product.call('GET', `/device-firmware-files${query}`, { as })).body.data as { files: FirmwareFileRecord[] })
    .files

describe('without trusted keys', () => {
  let product: TestProduct
  let admin: Person
  let upload: ReturnType<typeof uploader>
  beforeAll(async () => {
    product = await startProduct()
    admin = await product.person('admin')
    upload = uploader(product, () => admin)
  })
  afterAll(() => product.stop())
  const namesIn = (folder: string): Promise<string[]> =>
    readdir(join(product.settings['DATA_DIR'] ?? '', folder)).catch(() => [])
  const kept = async () => (await namesIn('files/firmware')).toSorted()
  /** Uploads that are not answered yet. */
  const unfinished = () => namesIn('uploads')

  test('an image is stored unchanged, listed, downloaded by its own link and deleted', async () => {
    const bytes = randomBytes(100_000)
    const made = await upload('wall-1.4.2.bin', bytes)
    expect(made.status).toBe(201)
    expect(made.body.message).toBe('Upload successful')
    expect(made.body.data).toMatchObject({
      version: '1.4.2',
      filename: 'wall-1.4.2.bin',
      size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      hwModel: null,
      signed: false,
      keyId: null,
      secureVersion: null,
      state: 'released',
      from: null,
      withdrawn: false,
      uploadedBy: admin.id
    })
    const [file] = await listOf(product, admin, '?search=wall-1.4.2')
    expect(file).toMatchObject({ _id: made.body.data._id })
    const whole = await fetch(file?.url ?? '')
    expect(whole.headers.get('content-disposition')).toBe('attachment; filename="wall-1.4.2.bin"')
    expect(whole.headers.get('x-content-type-options')).toBe('nosniff')
    expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true)
    const rest = await fetch(file?.url ?? '', { headers: { range: 'bytes=99000-' } })
    expect([rest.status, rest.headers.get('content-range')]).toEqual([206, 'bytes 99000-99999/100000'])
    expect(Buffer.from(await rest.arrayBuffer()).equals(bytes.subarray(99_000))).toBe(true)
    const beyond = await fetch(file?.url ?? '', { headers: { range: 'bytes=100000-' } })
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */100000'])
    const otherUnit = await fetch(file?.url ?? '', { headers: { range: 'lines=0-1' } })
    expect([otherUnit.status, (await otherUnit.arrayBuffer()).byteLength]).toEqual([200, 100_000])
    expect((await fetch(file?.url ?? '', { headers: { range: 'lines=100000-' } })).status).toBe(200)

    expect((await product.call('DELETE', '/device-firmware-files/wall-1.4.2.bin', { as: admin })).status).toBe(200)
    expect((await fetch(file?.url ?? '')).status).toBe(404)
    await expect.poll(kept).not.toContain(`${made.body.data._id}.bin`)
    await expect.poll(unfinished).toEqual([])
  })

  test('a board that asks for its image again ends its earlier download', async () => {
    // Too much for the buffers of a connection that nobody reads.
    await upload('large-1.5.0.bin', randomBytes(firmwareMaxBytes))
    const board = await createUpdatableBoard(product, await product.pair(await product.person()), { manner: 'ignore' })
    const body = { deviceId: board.credentials.deviceId, fileName: 'large-1.5.0.bin' }
    expect((await product.call('POST', '/update-device-firmware', { as: admin, body })).status).toBe(200)
    const { url } = await until('the board is told', () => board.updates[0])
    const first = await fetch(url)
    const again = await fetch(url, { headers: { range: 'bytes=0-9' } })
    expect((await again.arrayBuffer()).byteLength).toBe(10)
    await expect(first.arrayBuffer().then(() => 'whole')).rejects.toThrow('terminated')
    board.stop()
  })

  test('an image whose bytes are gone from the disk is answered as not found', async () => {
    const made = await upload('gone-9.0.0.bin', randomBytes(1000))
    const [file] = await listOf(product, admin, '?search=gone-')
    await rm(join(product.settings['DATA_DIR'] ?? '', `files/firmware/${made.body.data._id}.bin`))
    const answer = await fetch(file?.url ?? '')
    expect([answer.status, answer.headers.get('content-disposition')]).toEqual([404, null])
    expect(await answer.json()).toMatchObject({ success: false, code: 'NOT_FOUND' })
    await product.call('DELETE', '/device-firmware-files/gone-9.0.0.bin', { as: admin })
  })

  test('an image is sent uncompressed with its length, also to clients that accept compression', async () => {
    await upload('plain-7.0.0.bin', Buffer.alloc(50_000))
    const [file] = await listOf(product, admin, '?search=plain-')
    const { headers, body } = await fetch(file?.url ?? '', { headers: { 'accept-encoding': 'gzip, br' } })
    expect([headers.get('content-encoding'), headers.get('content-length')]).toEqual([null, '50000'])
    await body?.cancel()
  })

  test('a link is valid for its own file, for an hour', async () => {
    await upload('link-1.0.0.bin', randomBytes(10))
    await upload('link-1.0.1.bin', randomBytes(10))
    const [later, earlier] = await listOf(product, admin, '?search=link-')
    const url = new URL(later?.url ?? '')
    const other = new URL(url)
    other.pathname = new URL(earlier?.url ?? '').pathname
    expect((await fetch(other)).status).toBe(403)
    const longer = new URL(url)
    longer.searchParams.set('expires', String(Number(url.searchParams.get('expires')) + 1))
    expect((await fetch(longer)).status).toBe(403)
    expect((await fetch(new URL(url.pathname, url))).status).toBe(400)
  })

  test('the list is newest version first, reversed by sort, and searched', async () => {
    for (const version of ['2.9.9', '2.10.0', '2.1.0']) await upload(`order-${version}.bin`, randomBytes(20))
    const versions = async (query: string) => (await listOf(product, admin, query)).map(({ version }) => version)
    expect(await versions('?search=order')).toEqual(['2.10.0', '2.9.9', '2.1.0'])
    expect(await versions('?search=order&sort=asc')).toEqual(['2.1.0', '2.9.9', '2.10.0'])
    expect(await versions('?search=order&sort=-filename')).toEqual(['2.9.9', '2.10.0', '2.1.0'])
    expect(await versions('?search=order&limit=1&page=2')).toEqual(['2.9.9'])
    expect(await versions('?search=order&sort=url')).toEqual(['2.1.0', '2.10.0', '2.9.9'])
    for (const sort of ['secret', '']) {
      const wrong = await product.call('GET', `/device-firmware-files?sort=${sort}`, { as: admin })
      expect([wrong.status, wrong.body.message]).toEqual([400, expect.stringContaining('sort')])
    }
  })

  test.each([
    ['another ending', 'wall-1.0.0.exe', randomBytes(10), 415],
    ['no version in its name', 'wall.bin', randomBytes(10), 400],
    ['nothing in it', 'empty-1.0.0.bin', Buffer.alloc(0), 400],
    ['more than 16 MB', 'huge-1.0.0.bin', Buffer.alloc(firmwareMaxBytes + 1), 413],
    ['a name for a shell', 'x;rm -rf $HOME-1.0.0.bin', randomBytes(10), 400]
  ])('a file with %s is refused, and nothing of it is stored', async (_name, filename, bytes, status) => {
    const before = await kept()
    expect((await upload(filename, bytes)).status).toBe(status)
    await expect.poll(unfinished).toEqual([])
    expect(await kept()).toEqual(before)
  })

  test('16 MB are accepted', async () => {
    expect((await upload('full-1.16.0.bin', Buffer.alloc(firmwareMaxBytes, 7))).status).toBe(201)
  })

  test('a form without a file is refused with the reason', async () => {
    const answer = await fetch(`${product.url}/api/v1/device-firmware-files`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin.token}` },
      body: new FormData()
    })
    expect(((await answer.json()) as { message: string }).message).toBe('Please choose a file')
  })

  test('a name that is too long is refused because of its length', async () => {
    const { status, body } = await upload(`${'n'.repeat(200)}-1.0.0.bin`, randomBytes(10))
    expect({ status, said: JSON.stringify(body) }).toMatchObject({
      status: 400,
      said: expect.stringContaining('at most 200') as string
    })
  })

  test('a name or a version that exists is a conflict', async () => {
    await upload('twice-3.0.0.bin', randomBytes(10))
    expect((await upload('twice-3.0.0.bin', randomBytes(10))).status).toBe(409)
    expect((await upload('other-3.0.0.bin', randomBytes(10))).status).toBe(409)
    // The same version written differently: boards compare numbers.
    for (const version of ['3.0', '03.0.0', '3.0.0.0', '3.00'])
      expect([version, (await upload(`spelt-${version}.bin`, randomBytes(10))).status]).toEqual([version, 409])
    expect((await upload('above-3.0.1.bin', randomBytes(10))).status).toBe(201)
  })

  test('an upload that is interrupted leaves nothing', async () => {
    await expect.poll(unfinished).toEqual([])
    const before = await kept()
    const { hostname, port } = new URL(product.url)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => undefined)
    const head = [
      'POST /api/v1/device-firmware-files HTTP/1.1',
      `host: ${hostname}`,
      `authorization: Bearer ${admin.token}`,
      'content-type: multipart/form-data; boundary=x',
      'content-length: 1000000',
      '',
      '--x',
      'content-disposition: form-data; name="firmware"; filename="half-9.0.0.bin"',
      '',
      ''
    ].join('\r\n')
    socket.write(head)
    socket.write(randomBytes(500_000))
    await expect.poll(unfinished).toHaveLength(1)
    socket.destroy()
    await expect.poll(unfinished).toEqual([])
    expect(await kept()).toEqual(before)
    expect(await listOf(product, admin, '?search=half')).toEqual([])
  })

  test('a draft is released and withdrawn, and never becomes a draft again; each change is recorded', async () => {
    const made = await upload('state-4.0.0.bin', randomBytes(10), { state: 'draft' })
    expect(made.body.data.state).toBe('draft')
    const patch = (body: object) => product.call('PATCH', '/device-firmware-files/state-4.0.0.bin', { as: admin, body })
    expect((await patch({ state: 'released', from: { min: '3.0.0' } })).body.data).toMatchObject({
      state: 'released',
      from: { min: '3.0.0' },
      withdrawn: false
    })
    expect((await patch({ state: 'withdrawn' })).body.data).toMatchObject({ state: 'withdrawn', withdrawn: true })
    expect((await patch({ state: 'released', from: null })).body.data).toMatchObject({ state: 'released', from: null })
    expect((await patch({ state: 'draft' })).status).toBe(409)
    expect((await patch({})).status).toBe(400)
    expect((await patch({ state: 'gone' })).status).toBe(400)
    expect((await patch({ from: { min: 'new' } })).status).toBe(400)
  })

  test('a state that another admin has changed meanwhile is changed by nobody who has not seen it', async () => {
    await upload('seen-4.5.0.bin', randomBytes(10), { state: 'draft' })
    const patch = (body: object) => product.call('PATCH', '/device-firmware-files/seen-4.5.0.bin', { as: admin, body })
    const release = { state: 'released', seen: { state: 'draft' } }
    expect((await patch(release)).status).toBe(200)
    // A repeated change is none.
    expect((await patch(release)).status).toBe(200)
    expect((await patch({ state: 'withdrawn', seen: { state: 'draft' } })).body).toMatchObject({
      code: 'CONFLICT',
      message: 'Another admin has changed this file meanwhile.'
    })
    expect((await patch({ state: 'withdrawn', seen: { state: 'released' } })).status).toBe(200)
    expect((await patch(release)).body).toMatchObject({
      code: 'CONFLICT',
      message: 'Another admin has withdrawn this file meanwhile.'
    })
    expect((await patch({ state: 'released', seen: { state: 'withdrawn' } })).status).toBe(200)
  })

  test.each(['..%2F..%2Fpackage.json', '%2e%2e%2f%2e%2e%2fetc%2fpasswd', 'nothing-1.0.0.bin'])(
    'a file that is not ours (%s) is not found, and nothing is deleted',
    async (name) => {
      const before = await kept()
      expect((await product.call('DELETE', `/device-firmware-files/${name}`, { as: admin })).status).toBe(404)
      expect(await kept()).toEqual(before)
    }
  )

  test('a monitor with view devices reads the list and changes nothing', async () => {
    const monitor = await product.monitor(['view devices'])
    expect(await listOf(product, monitor)).not.toEqual([])
    expect((await uploader(product, () => monitor)('no-1.0.0.bin', randomBytes(10))).status).toBe(403)
    expect((await product.call('DELETE', '/device-firmware-files/x.bin', { as: monitor })).status).toBe(403)
    const stranger = await product.monitor(['view logs'])
    expect((await product.call('GET', '/device-firmware-files', { as: stranger })).status).toBe(403)
  })
})

describe('with trusted keys', () => {
  let product: TestProduct
  let admin: Person
  let upload: ReturnType<typeof uploader>
  const folder = mkdtempSync(join(tmpdir(), 'batti-keys-'))
  const trusted = generateKeyPairSync('ed25519')
  const other = generateKeyPairSync('ed25519')
  const image = (
    version: string,
    fields: { hwModel?: string; secureVersion?: number; keys?: { privateKey: KeyObject; publicKey: KeyObject } } = {}
  ): Buffer =>
    signImage(randomBytes(1000), {
      hwModel: fields.hwModel ?? 'batti-wall-4',
      version,
      secureVersion: fields.secureVersion ?? 1,
      ...(fields.keys ?? trusted)
    })
  beforeAll(async () => {
    const keyFile = join(folder, 'a.pem')
    await writeFile(keyFile, trusted.publicKey.export({ type: 'spki', format: 'pem' }))
    product = await startProduct({ FIRMWARE_TRUSTED_KEYS: `${keyFile}, ${join(folder, 'b.pem')}` })
    admin = await product.person('admin')
    upload = uploader(product, () => admin)
  })
  afterAll(async () => {
    await product.stop()
    await rm(folder, { recursive: true })
  })

  test('a signed image describes itself', async () => {
    const { status, body } = await upload('signed-1.0.0.bin', image('1.0.0', { secureVersion: 3 }))
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      version: '1.0.0',
      hwModel: 'batti-wall-4',
      signed: true,
      keyId: keyIdOf(trusted.publicKey),
      secureVersion: 3,
      withdrawn: false
    })
    // One version for two models makes two images.
    expect((await upload('fan-1.0.0.bin', image('1.0.0', { hwModel: 'batti-wall-fan' }))).status).toBe(201)
    expect((await upload('again-1.0.0.bin', image('1.0.0', { secureVersion: 3 }))).status).toBe(409)
    expect((await upload('named-by-its-block.bin', image('1.0.1', { secureVersion: 3 }))).status).toBe(201)
  })

  test.each([
    ['unsigned', 'un-2.0.0.bin', () => randomBytes(1000)],
    ['changed', 'ch-2.0.0.bin', () => Buffer.from(image('2.0.0')).fill(1, 10, 20)],
    ['signed by a stranger', 'st-2.0.0.bin', () => image('2.0.0', { keys: other })],
    ['of another version than its name says', 'ver-2.0.1.bin', () => image('2.0.0')],
    ['for a model of no board type', 'mo-2.0.0.bin', () => image('2.0.0', { hwModel: 'toaster' })],
    ['of a secure version below the highest', 'sv-2.0.0.bin', () => image('2.0.0', { secureVersion: 2 })]
  ])('an image that is %s is refused', async (_name, filename, bytes) => {
    const { status, body } = await upload(filename, bytes())
    expect([status, body.code]).toEqual([422, 'UNPROCESSABLE'])
  })

  test('a key is removed with its file, and trusted when its file exists, without a restart', async () => {
    await upload('key-5.0.0.bin', image('5.0.0', { secureVersion: 9 }))
    const shown = async () => (await listOf(product, admin, '?search=key-5'))[0]
    await rename(join(folder, 'a.pem'), join(folder, 'away.pem'))
    await until('the release is withdrawn', async () => (await shown())?.withdrawn === true)
    expect(await shown()).toMatchObject({ signed: false, keyId: keyIdOf(trusted.publicKey), state: 'released' })
    expect((await upload('key-5.0.1.bin', image('5.0.1', { secureVersion: 9 }))).status).toBe(422)
    await writeFile(join(folder, 'b.pem'), other.publicKey.export({ type: 'spki', format: 'pem' }))
    await rename(join(folder, 'away.pem'), join(folder, 'a.pem'))
    await until('the release counts as signed', async () => (await shown())?.signed === true)
    expect((await upload('key-5.0.1.bin', image('5.0.1', { secureVersion: 9, keys: other }))).status).toBe(201)
  })
})
