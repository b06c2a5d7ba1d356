import { testFolder, watchDisk } from '@batti/kit/node/testing'
import { freePort } from '@batti/kit/node/ports'
import { close, listen } from '@batti/kit/node/listen'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import { createDiskFiles, isFileKey, type FileStore } from './files.ts'
import { toAppError } from '../../http/error-handler.ts'
import { createS3Files } from './s3-files.ts'

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.splice(0)) await step()
})

const disk = async (): Promise<FileStore> => createDiskFiles(testFolder('files'))

/** The SDK sends chunks, each followed by a checksum. */
function unchunked(body: Buffer, encoding: string | undefined): Buffer {
  if (encoding?.includes('aws-chunked') !== true) return body
  const end = body.indexOf('\r\n')
  const size = Number.parseInt(body.toString('latin1', 0, end), 16)
  return size === 0
    ? Buffer.alloc(0)
    : Buffer.concat([body.subarray(end + 2, end + 2 + size), unchunked(body.subarray(end + 4 + size), encoding)])
}

/** As much of S3 as one bucket of small objects needs. */
async function s3(): Promise<FileStore> {
  const objects = new Map<string, Buffer>()
  const server = createServer((req, res) => {
    const key = (req.url ?? '').split('?')[0] ?? ''
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      if (req.headers.authorization?.startsWith('AWS4-HMAC-SHA256') !== true) return res.writeHead(403).end()
      if (req.method === 'PUT') {
        objects.set(key, unchunked(Buffer.concat(chunks), req.headers['content-encoding']))
        return res.end()
      }
      if (req.method === 'DELETE') {
        objects.delete(key)
        return res.writeHead(204).end()
      }
      const found = objects.get(key)
      const range = /^bytes=(\d+)-(\d+)$/.exec(req.headers.range ?? '')
      if (found !== undefined && range !== null)
        return res.writeHead(206).end(found.subarray(Number(range[1]), Number(range[2]) + 1))
      if (found !== undefined) return res.end(found)
      return res
        .writeHead(404, { 'content-type': 'application/xml' })
        .end('<Error><Code>NoSuchKey</Code><Message>x</Message></Error>')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  undo.push(() => new Promise((resolve) => server.close(resolve)))
  const address = server.address()
  const endpoint = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  return createS3Files({ bucket: 'batti', region: 'us-east-1', endpoint, accessKey: 'a', secretKey: 'b' })
}

describe.each([
  ['disk', disk],
  ['S3', s3]
] as const)('files on %s', (_name, create) => {
  test('a stored file can be read, a replaced one is new, a removed one is gone', async () => {
    const files = await create()
    const key = 'images/0123456789abcdef.webp'
    expect(await files.get(key)).toBeNull()
    await files.put(key, Buffer.from('one'), 'image/webp')
    expect((await files.get(key))?.toString()).toContain('one')
    await files.put(key, Buffer.from('two'), 'image/webp')
    expect((await files.get(key))?.toString()).toContain('two')
    await files.remove(key)
    await files.remove(key)
    expect(await files.get(key)).toBeNull()
  })

  test('a file is stored unchanged on disk, and can be read in part', async () => {
    const files = await create()
    const folder = testFolder('files')
    await writeFile(join(folder, 'image'), 'a whole image')
    await files.putFile('firmware/0123.bin', join(folder, 'image'), 'application/octet-stream')
    const range = { start: 2, end: 6 }
    const part = await files.open('firmware/0123.bin', range)
    expect(part === null ? null : await text(part)).toBe('whole')
    await files.remove('firmware/0123.bin')
    expect(await files.open('firmware/0123.bin', range)).toBeNull()
  })

  test('a key that leaves the folder is refused', async () => {
    const files = await create()
    for (const key of [
      '../x.webp',
      'images/../../etc/passwd',
      '/etc/passwd',
      'images/a/b.webp',
      'images/.x',
      'a.webp',
      ''
    ]) {
      expect(isFileKey(key)).toBe(false)
      await expect(files.get(key)).rejects.toThrow('not the key')
      await expect(files.put(key, Buffer.from('x'), 'text/plain')).rejects.toThrow('not the key')
      await expect(files.remove(key)).rejects.toThrow('not the key')
    }
  })
})

test('what is stored is on the disk before anything names it', async () => {
  const folder = testFolder('files')
  const files = createDiskFiles(folder)
  await writeFile(join(folder, 'image'), 'a whole image')
  const puts = [
    () => files.putFile('firmware/1.bin', join(folder, 'image'), 'application/octet-stream'),
    () => files.put('images/a.webp', Buffer.from('one'), 'image/webp')
  ]
  for (const put of puts) {
    const [content, name] = await watchDisk(put)
    expect(content).toMatch(/^sync .*\.part$/)
    expect(name).toBe(content?.replace('sync', 'rename'))
  }
})

test('a write that fails leaves no partial file', async () => {
  const folder = testFolder('files')
  const files = createDiskFiles(folder)
  await files.put('images/a.webp', Buffer.from('one'), 'image/webp')
  // A folder in place of the file: the rename fails.
  await rm(join(folder, 'images', 'a.webp'))
  await mkdir(join(folder, 'images', 'a.webp', 'in-the-way'), { recursive: true })
  await expect(files.put('images/a.webp', Buffer.from('two'), 'image/webp')).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/)
  expect(await readdir(join(folder, 'images'))).toEqual(['a.webp'])
})

/** The port of a server that refuses every request with this message; for null one where nobody listens. */
async function faultyPort(message: string | null): Promise<number> {
  if (message === null) return freePort()
  const server = createServer((req, res) => {
    req.resume()
    req.on('end', () =>
      res
        .writeHead(403, { 'content-type': 'application/xml' })
        .end(`<Error><Code>Refused</Code><Message>${message}</Message></Error>`)
    )
  })
  undo.push(() => close(server))
  return listen(server)
}

test.each([
  ['that cannot be reached', null, /ECONNREFUSED/],
  ['that refuses the key', 'The access key does not exist.', /The access key does not exist\./]
])('a bucket %s is not taken for the database, and the log names the setting', async (_what, message, reason) => {
  const endpoint = `http://127.0.0.1:${await faultyPort(message)}`
  const files = createS3Files({ bucket: 'batti', region: 'us-east-1', endpoint, accessKey: 'a', secretKey: 'b' })
  const key = 'images/0123456789abcdef.webp'
  const calls = [() => files.get(key), () => files.put(key, Buffer.from('one'), 'image/webp'), () => files.remove(key)]
  for (const call of calls) {
    const fault = toAppError(await call().catch((error: unknown) => error))
    expect(fault).toMatchObject({ status: 503, retryAfterS: 5 })
    expect(fault.message).toMatch(/^The storage of pictures and files cannot be used\./)
    expect(String(fault.cause)).toMatch(/the bucket of S3_BUCKET \(batti\) cannot be used: /)
    expect(String(fault.cause)).toMatch(reason)
  }
})
