import { messageOf } from '@batti/kit/message-of'
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { keyIdOf, type TrustedKey } from './image-block.ts'

/** Reads a public key from a PEM file, also from a private key. @throws Error that names the file. */
export function readTrustedKey(file: string): TrustedKey {
  return read(file, (pem) => {
    const publicKey = createPublicKey(pem)
    return { keyId: keyIdOf(publicKey), publicKey }
  })
}

/** Reads a private key with its public key. @throws Error that names the file. */
export function readSigningKey(file: string): { privateKey: KeyObject; publicKey: KeyObject } {
  return read(file, (pem) => {
    const privateKey = createPrivateKey(pem)
    const publicKey = createPublicKey(privateKey)
    keyIdOf(publicKey)
    return { privateKey, publicKey }
  })
}

function read<Key>(file: string, parse: (pem: string) => Key): Key {
  try {
    return parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new Error(`${file}: ${messageOf(error)}`, { cause: error })
  }
}
