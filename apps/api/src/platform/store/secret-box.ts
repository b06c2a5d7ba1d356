import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

const algorithm = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16
const version = 'v1'

export interface SecretBoxOptions {
  /** 32 bytes in base64 (`DATA_KEY`): seals everything new. */
  key: string
  /** Earlier keys in base64, separated by commas (`DATA_KEY_PREVIOUS`): they only open what they sealed. */
  previousKeys?: string | undefined
}

export interface SecretBox {
  /**
   * Encrypts `plain`. `context` names the owner of the value (`device:<id>:wifiPassword`). It is authenticated, so that a
   * sealed text copied to another record does not open there.
   */
  seal(plain: string, context: string): string
  /** Decrypts a sealed text; null if it was changed, belongs elsewhere, or its key is gone. Never throws. */
  open(sealed: string, context: string): string | null
  /** Whether `sealed` was made with today's key; if not, it should be resealed after a rotation. */
  isCurrent(sealed: string): boolean
}

interface Key {
  id: string
  bytes: Buffer
}

/** AES-256-GCM for secrets at rest. A sealed text is `v1.<key id>.<iv, ciphertext and tag in base64url>`. */
export function createSecretBox({ key, previousKeys = '' }: SecretBoxOptions): SecretBox {
  const current = readKey(key)
  const earlier = previousKeys
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '')
  const keys = new Map([...earlier.map(readKey), current].map((known) => [known.id, known.bytes]))

  return {
    seal(plain, context) {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv(algorithm, current.bytes, iv)
      cipher.setAAD(Buffer.from(context))
      const parts = [iv, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]
      return [version, current.id, Buffer.concat(parts).toString('base64url')].join('.')
    },
    open(sealed, context) {
      const [sealedVersion, keyId = '', body = ''] = sealed.split('.')
      const bytes = keys.get(keyId)
      const raw = Buffer.from(body, 'base64url')
      if (sealedVersion !== version || bytes === undefined || raw.length < ivBytes + tagBytes) return null
      try {
        const decipher = createDecipheriv(algorithm, bytes, raw.subarray(0, ivBytes), {
          authTagLength: tagBytes
        })
        decipher.setAAD(Buffer.from(context))
        decipher.setAuthTag(raw.subarray(-tagBytes))
        const plain = decipher.update(raw.subarray(ivBytes, -tagBytes))
        return Buffer.concat([plain, decipher.final()]).toString('utf8')
      } catch {
        return null
      }
    },
    isCurrent: (sealed) => sealed.split('.')[1] === current.id
  }
}

function readKey(base64: string): Key {
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length !== 32) throw new Error('A data key must be 32 bytes in base64.')
  // The digest identifies the key without revealing anything about it.
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 8), bytes }
}
