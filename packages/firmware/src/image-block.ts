import { createHash, sign, verify, type KeyObject } from 'node:crypto'

/** A signed image ends in a block of this size. The signature is its last 64 bytes and covers everything before. */
export const blockBytes = 256
const signatureBytes = 64
const magic = 'BATTIFW1'
const at = { hwModel: 8, version: 72, secureVersion: 104, keyId: 108, payloadSize: 116, zeros: 120, signature: 192 }

/** The metadata of a signed image. */
export interface ImageBlock {
  hwModel: string
  version: string
  /** Increased when older images must never run again (anti-rollback). */
  secureVersion: number
  /** The first 8 bytes of the SHA-256 of the raw public key, in hexadecimal. */
  keyId: string
  /** Bytes before the block. */
  payloadSize: number
}

export interface TrustedKey {
  keyId: string
  publicKey: KeyObject
}

/** The result of checking an image against the trusted keys. `unknown-key`: none of them has the key id of the image. */
export type ImageVerdict =
  | { kind: 'unsigned' }
  | { kind: 'good' | 'unknown-key' | 'changed'; block: ImageBlock }
  | { kind: 'damaged'; reason: string }

/** Reads the block at the end of an image; null when there is none. Does not verify the signature. */
export function readBlock(image: Buffer): ImageBlock | { damaged: string } | null {
  if (image.length < blockBytes) return null
  const block = image.subarray(image.length - blockBytes)
  if (block.toString('latin1', 0, magic.length) !== magic) return null
  const hwModel = paddedText(block.subarray(at.hwModel, at.version))
  const version = paddedText(block.subarray(at.version, at.secureVersion))
  const payloadSize = block.readUInt32BE(at.payloadSize)
  if (hwModel === null || hwModel === '') return { damaged: 'its model cannot be read' }
  if (version === null || version === '') return { damaged: 'its version cannot be read' }
  if (payloadSize !== image.length - blockBytes) return { damaged: 'its size is not what its block says' }
  if (block.subarray(at.zeros, at.signature).some((byte) => byte !== 0))
    return { damaged: 'its block is not empty where it must be' }
  return {
    hwModel,
    version,
    secureVersion: block.readUInt32BE(at.secureVersion),
    keyId: block.toString('hex', at.keyId, at.payloadSize),
    payloadSize
  }
}

/** Verifies a whole image against the trusted keys. */
export function judgeImage(image: Buffer, keys: readonly TrustedKey[]): ImageVerdict {
  const block = readBlock(image)
  if (block === null) return { kind: 'unsigned' }
  if ('damaged' in block) return { kind: 'damaged', reason: block.damaged }
  const key = keys.find(({ keyId }) => keyId === block.keyId)
  if (key === undefined) return { kind: 'unknown-key', block }
  const end = image.length - signatureBytes
  const isGood = verify(null, image.subarray(0, end), key.publicKey, image.subarray(end))
  return { kind: isGood ? 'good' : 'changed', block }
}

/** Returns the image with a signed block, which replaces an existing one. @throws when a field does not fit. */
export function signImage(
  image: Buffer,
  fields: { hwModel: string; version: string; secureVersion: number; privateKey: KeyObject; publicKey: KeyObject }
): Buffer {
  const payload = withoutBlock(image)
  const head = Buffer.alloc(at.signature)
  head.write(magic, 'latin1')
  writePadded(head.subarray(at.hwModel, at.version), 'hardware model', fields.hwModel)
  writePadded(head.subarray(at.version, at.secureVersion), 'version', fields.version)
  head.writeUInt32BE(fields.secureVersion, at.secureVersion)
  head.write(keyIdOf(fields.publicKey), at.keyId, 'hex')
  head.writeUInt32BE(payload.length, at.payloadSize)
  const signed = Buffer.concat([payload, head])
  return Buffer.concat([signed, sign(null, signed, fields.privateKey)])
}

/** Returns the image without the block at its end. */
function withoutBlock(image: Buffer): Buffer {
  const block = readBlock(image)
  return block === null || 'damaged' in block ? image : image.subarray(0, block.payloadSize)
}

/** @throws for anything but an Ed25519 key. */
export function keyIdOf(publicKey: KeyObject): string {
  const { x } = publicKey.export({ format: 'jwk' })
  if (publicKey.asymmetricKeyType !== 'ed25519' || x === undefined) throw new Error('is not an Ed25519 key')
  return createHash('sha256').update(Buffer.from(x, 'base64url')).digest().toString('hex', 0, 8)
}

/** Reads UTF-8 up to the first zero; null when anything but zeros follows. */
function paddedText(field: Buffer): string | null {
  const end = field.indexOf(0)
  const text = end === -1 ? field : field.subarray(0, end)
  if (end !== -1 && field.subarray(end).some((byte) => byte !== 0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(text)
  } catch {
    return null
  }
}

function writePadded(field: Buffer, name: string, text: string): void {
  const bytes = Buffer.from(text)
  if (bytes.length === 0 || bytes.length > field.length)
    throw new Error(`The ${name} must be 1 to ${field.length} bytes.`)
  bytes.copy(field)
}
