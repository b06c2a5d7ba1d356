import { runToEnd, testFolder } from '@batti/kit/node/testing'
import { generateKeyPairSync, randomBytes, verify } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { runFirmwareTool } from './firmware-cli.ts'
import { blockBytes, judgeImage, keyIdOf, readBlock, signImage } from './image-block.ts'
import { readTrustedKey } from './key-files.ts'

const payload = randomBytes(5000)
const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const key = { keyId: keyIdOf(publicKey), publicKey }
const fields = { hwModel: 'batti-wall-4', version: '1.4.2', secureVersion: 7, privateKey, publicKey }

describe('the signature block of an image', () => {
  const image = signImage(payload, fields)

  test('is 256 bytes, in the documented layout', () => {
    const block = image.subarray(payload.length)
    expect(block.length).toBe(blockBytes)
    expect(block.toString('latin1', 0, 8)).toBe('BATTIFW1')
    expect(block.toString('latin1', 8, 72).replace(/\0+$/, '')).toBe('batti-wall-4')
    expect(block.toString('latin1', 72, 104).replace(/\0+$/, '')).toBe('1.4.2')
    expect(block.readUInt32BE(104)).toBe(7)
    expect(block.toString('hex', 108, 116)).toBe(key.keyId)
    expect(block.readUInt32BE(116)).toBe(payload.length)
    expect(block.subarray(120, 192).every((byte) => byte === 0)).toBe(true)
    expect(verify(null, image.subarray(0, -64), publicKey, image.subarray(-64))).toBe(true)
  })

  test('is parsed, and valid only with its own key', () => {
    expect(readBlock(image)).toEqual({
      hwModel: 'batti-wall-4',
      version: '1.4.2',
      secureVersion: 7,
      keyId: key.keyId,
      payloadSize: payload.length
    })
    expect(judgeImage(image, [key]).kind).toBe('good')
    expect(judgeImage(image, [])).toEqual({ kind: 'unknown-key', block: readBlock(image) })
    const other = generateKeyPairSync('ed25519').publicKey
    expect(judgeImage(image, [{ keyId: keyIdOf(other), publicKey: other }]).kind).toBe('unknown-key')
    expect(judgeImage(payload, [key]).kind).toBe('unsigned')
  })

  test.each([
    ['the payload', 10, 'changed'],
    ['the model', payload.length + 9, 'changed'],
    ['the secure version', payload.length + 107, 'changed'],
    ['the signature', payload.length + 200, 'changed'],
    ['the zeros', payload.length + 150, 'damaged'],
    ['the size', payload.length + 119, 'damaged']
  ])('reveals a changed bit in %s', (_name, position, kind) => {
    const changed = Buffer.from(image)
    changed[position] = (changed[position] ?? 0) ^ 1
    expect(judgeImage(changed, [key]).kind).toBe(kind)
  })

  test.each([
    ['its model cannot be read', 'is empty', 8, '00'.repeat(64)],
    ['its model cannot be read', 'begins with a zero', 8, '00'],
    ['its model cannot be read', 'goes on after a zero', 71, '41'],
    ['its model cannot be read', 'is no UTF-8', 8, 'ff'],
    ['its version cannot be read', 'is empty', 72, '00'.repeat(32)],
    ['its version cannot be read', 'begins with a zero', 72, '00'],
    ['its version cannot be read', 'goes on after a zero', 103, '41'],
    ['its version cannot be read', 'is no UTF-8', 73, 'c3'],
    ['its size is not what its block says', 'is one less', 116, '00001387'],
    ['its block is not empty where it must be', 'is not, at its first byte', 120, '01'],
    ['its block is not empty where it must be', 'is not, at its last byte', 191, '01']
  ])('says that %s if that %s', (reason, _how, position, bytes) => {
    const damaged = Buffer.from(image)
    damaged.write(bytes, payload.length + position, 'hex')
    expect(readBlock(damaged)).toEqual({ damaged: reason })
    expect(judgeImage(damaged, [key])).toEqual({ kind: 'damaged', reason })
  })

  test('may be filled to its last byte, in any script, and stand alone', () => {
    const full = { ...fields, hwModel: 'क'.repeat(21) + 'x', version: '1'.repeat(32), secureVersion: 0xffff_ffff }
    const alone = signImage(Buffer.alloc(0), full)
    expect(alone.length).toBe(blockBytes)
    expect(judgeImage(alone, [key])).toMatchObject({
      kind: 'good',
      block: { hwModel: full.hwModel, version: full.version, secureVersion: 0xffff_ffff, payloadSize: 0 }
    })
  })

  test('is not searched for in less than 256 bytes', () => {
    expect(readBlock(image.subarray(payload.length, -1))).toBeNull()
    for (const short of ['', 'BATTIFW1']) expect(readBlock(Buffer.from(short))).toBeNull()
  })

  test('that is damaged stays in the image, below a new one', () => {
    const damaged = Buffer.from(image)
    damaged[payload.length + 150] = 1
    expect(readBlock(signImage(damaged, fields))).toMatchObject({ payloadSize: image.length })
  })

  test('is replaced, not added, when an image is signed again', () => {
    const again = signImage(image, { ...fields, version: '1.5.0', secureVersion: 8 })
    expect(again.length).toBe(image.length)
    expect(readBlock(again)).toMatchObject({ version: '1.5.0', payloadSize: payload.length })
    expect(judgeImage(again, [key]).kind).toBe('good')
  })

  test('refuses fields that do not fit', () => {
    expect(() => signImage(payload, { ...fields, hwModel: 'x'.repeat(65) })).toThrow('hardware model')
    expect(() => signImage(payload, { ...fields, version: '' })).toThrow('version')
  })

  test.each([
    ['RSA', generateKeyPairSync('rsa', { modulusLength: 1024 })],
    ['EC', generateKeyPairSync('ec', { namedCurve: 'P-256' })],
    ['Ed448', generateKeyPairSync('ed448')]
  ])('is not made with a key of %s', (_kind, pair) => {
    expect(() => signImage(payload, { ...fields, ...pair })).toThrow('is not an Ed25519 key')
  })
})

describe('npm run firmware', () => {
  let folder = ''
  const inside = (name: string): string => join(folder, name)
  beforeEach(() => {
    folder = testFolder('firmware-tool')
    writeFileSync(inside('wall-1.4.2.bin'), payload)
  })
  const sign = (...more: string[]): string =>
    runFirmwareTool(
      `sign ${inside('wall-1.4.2.bin')} --key ${inside('k.key.pem')} --hw batti-wall-4 --version 1.4.2 --secure-version 3`
        .split(' ')
        .concat(more)
    )

  test('creates a key pair, signs with one half and verifies with the other', () => {
    expect(runFirmwareTool(['keygen', inside('k')])).toContain('key id')
    expect(statSync(inside('k.key.pem')).mode & 0o777).toBe(0o600)
    expect(sign()).toContain('secure version 3')
    expect(readFileSync(inside('wall-1.4.2.bin')).length).toBe(payload.length + blockBytes)
    expect(runFirmwareTool(['verify', inside('wall-1.4.2.bin'), '--key', inside('k.pub.pem')])).toMatch(
      /^Good: batti-wall-4 1\.4\.2, secure version 3/
    )
    expect(readTrustedKey(inside('k.pub.pem')).keyId).toMatch(/^[0-9a-f]{16}$/)
  })

  test('explains its use without arguments, and names missing ones', () => {
    for (const args of [[], ['--help'], ['sign', '--help']])
      expect(runFirmwareTool(args)).toMatch(/^Signed firmware images\./)
    const all = ['--key=k', '--hw=batti-wall-4', '--version=1.4.2']
    for (const missing of all)
      expect(() => runFirmwareTool(['sign', 'x.bin', ...all.filter((one) => one !== missing)])).toThrow(
        'Give --key, --hw and --version.'
      )
  })

  test('an unknown command is reported as such, not as a missing file', () => {
    expect(() => runFirmwareTool(['resign'])).toThrow('There is no command “resign”.')
    expect(() => runFirmwareTool(['verify'])).toThrow('Name a file.')
  })

  test.each(['k.key.pem', 'k.pub.pem'])('leaves a key pair alone of which there is %s', (name) => {
    writeFileSync(inside(name), 'in use')
    expect(() => runFirmwareTool(['keygen', inside('k')])).toThrow(`${inside(name)} exists. Give another name`)
    expect(readFileSync(inside(name), 'utf8')).toBe('in use')
    expect(readdirSync(folder).filter((each) => each.endsWith('.pem'))).toEqual([name])
  })

  test('signs into another file, with 0 as the secure version unless it is given', () => {
    runFirmwareTool(['keygen', inside('k')])
    const [image, signed] = [inside('wall-1.4.2.bin'), inside('signed.bin')]
    const args = ['sign', image, '--key', inside('k.key.pem'), '--hw', 'batti-wall-4', '--version', '1.4.2']
    expect(runFirmwareTool([...args, '--out', signed])).toContain(
      `Signed ${signed}: batti-wall-4 1.4.2, secure version 0`
    )
    expect(readFileSync(image)).toEqual(payload)
    expect(readBlock(readFileSync(signed))).toMatchObject({ secureVersion: 0, payloadSize: payload.length })
    expect(sign('--secure-version=4294967295')).toContain('secure version 4294967295')
  })

  test('says what a block says without a key, and what is damaged', () => {
    runFirmwareTool(['keygen', inside('k')])
    sign()
    const image = inside('wall-1.4.2.bin')
    expect(() => runFirmwareTool(['verify', image])).toThrow(
      `${image} says: batti-wall-4 1.4.2, secure version 3, 5000 bytes, key id `
    )
    const damaged = readFileSync(image)
    damaged[payload.length + 150] = 1
    writeFileSync(image, damaged)
    expect(() => runFirmwareTool(['verify', image])).toThrow('is damaged: its block is not empty where it must be')
  })

  test('names the file that is no key of that kind', () => {
    const pem = generateKeyPairSync('ed448').privateKey.export({ type: 'pkcs8', format: 'pem' })
    writeFileSync(inside('k.key.pem'), pem)
    expect(() => sign()).toThrow(`${inside('k.key.pem')}: is not an Ed25519 key`)
  })

  test('names what is wrong', () => {
    runFirmwareTool(['keygen', inside('k')])
    for (const wrong of ['-1', '', ' ', '0x10', '1e3', '1.5', '4294967296', 'new'])
      expect(() => sign(`--secure-version=${wrong}`), wrong).toThrow(
        '--secure-version must be a whole number from 0 to 4294967295.'
      )
    expect(() => sign('--version', 'new')).toThrow('--version')
    expect(() => runFirmwareTool(['verify', inside('wall-1.4.2.bin'), '--key', inside('k.pub.pem')])).toThrow(
      'is not signed'
    )
    sign()
    const changed = readFileSync(inside('wall-1.4.2.bin'))
    changed[0] = (changed[0] ?? 0) ^ 1
    writeFileSync(inside('wall-1.4.2.bin'), changed)
    expect(() => runFirmwareTool(['verify', inside('wall-1.4.2.bin'), '--key', inside('k.pub.pem')])).toThrow(
      'was changed'
    )
    runFirmwareTool(['keygen', inside('other')])
    expect(() => runFirmwareTool(['verify', inside('wall-1.4.2.bin'), '--key', inside('other.pub.pem')])).toThrow(
      'another key'
    )
  })
})

test('npm run firmware creates its files in the folder where it was typed', () => {
  const folder = testFolder('keys')
  const env = { ...process.env, INIT_CWD: folder }
  runToEnd(process.execPath, [join(import.meta.dirname, 'cli.ts'), 'keygen', 'house'], { env })
  expect(readTrustedKey(join(folder, 'house.pub.pem')).keyId).toMatch(/./)
})
