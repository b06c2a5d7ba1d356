import { generateKeyPairSync } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { judgeImage, keyIdOf, readBlock, signImage } from './image-block.ts'
import { readSigningKey, readTrustedKey } from './key-files.ts'

const usage = `Signed firmware images.

  npm run firmware -- keygen [NAME]
      Makes NAME.key.pem (keep it secret) and NAME.pub.pem (for FIRMWARE_TRUSTED_KEYS). NAME is firmware-key unless given.
  npm run firmware -- sign FILE.bin --key NAME.key.pem --hw MODEL --version 1.4.2 --secure-version 1 [--out SIGNED.bin]
      Appends the signed block of 256 bytes; a block that is there already is replaced.
  npm run firmware -- verify FILE.bin --key NAME.pub.pem
      Says what the block says and whether the signature is good.`

interface Options {
  key?: string
  hw?: string
  version?: string
  'secure-version'?: string
  out?: string
}

/** Runs a command and returns the text to print. @throws Error with a sentence for the user. */
export function runFirmwareTool(args: readonly string[]): string {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      key: { type: 'string' },
      hw: { type: 'string' },
      version: { type: 'string' },
      'secure-version': { type: 'string' },
      out: { type: 'string' },
      help: { type: 'boolean' }
    }
  })
  const [verb, file] = positionals
  if (values.help === true || verb === undefined) return usage
  if (verb === 'keygen') return generateKeys(file ?? 'firmware-key')
  if (verb !== 'sign' && verb !== 'verify') throw new Error(`There is no command “${verb}”.\n\n${usage}`)
  if (file === undefined) throw new Error(`Name a file.\n\n${usage}`)
  return verb === 'sign' ? signFile(file, values) : verifyFile(file, values)
}

function generateKeys(name: string): string {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const [secret, shared] = [`${name}.key.pem`, `${name}.pub.pem`]
  // Never overwrite a key that is in use: boards would refuse all images signed with the new one.
  for (const file of [secret, shared])
    if (existsSync(file)) throw new Error(`${file} exists. Give another name, or move it away if no board uses it.`)
  writeFileSync(secret, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' })
  writeFileSync(shared, publicKey.export({ type: 'spki', format: 'pem' }), { flag: 'wx' })
  return `Made ${secret} and ${shared}, key id ${keyIdOf(publicKey)}.`
}

function signFile(file: string, options: Options): string {
  const { key, hw, version } = options
  if (key === undefined || hw === undefined || version === undefined)
    throw new Error(`Give --key, --hw and --version.\n\n${usage}`)
  if (!/^\d{1,9}(\.\d{1,9}){1,3}$/.test(version)) throw new Error('--version must be a version such as 1.4.2.')
  const counter = options['secure-version'] ?? '0'
  const secureVersion = Number(counter)
  // An empty value (an unset variable) must not become 0: boards would accept older images again.
  if (!/^\d{1,10}$/.test(counter) || secureVersion > 0xffff_ffff)
    throw new Error('--secure-version must be a whole number from 0 to 4294967295.')
  const keys = readSigningKey(key)
  const signed = signImage(readFileSync(file), { hwModel: hw, version, secureVersion, ...keys })
  const target = options.out ?? file
  writeFileSync(`${target}.part`, signed)
  renameSync(`${target}.part`, target)
  return `Signed ${target}: ${hw} ${version}, secure version ${secureVersion}, key id ${keyIdOf(keys.publicKey)}.`
}

function verifyFile(file: string, { key }: Options): string {
  const image = readFileSync(file)
  const block = readBlock(image)
  if (block === null) throw new Error(`${file} is not signed.`)
  if ('damaged' in block) throw new Error(`${file} is damaged: ${block.damaged}.`)
  const { hwModel, version, secureVersion, keyId, payloadSize } = block
  const says = `${hwModel} ${version}, secure version ${secureVersion}, ${payloadSize} bytes, key id ${keyId}`
  if (key === undefined) throw new Error(`${file} says: ${says}. Give --key to check its signature.`)
  const verdict = judgeImage(image, [readTrustedKey(key)])
  if (verdict.kind === 'unknown-key') throw new Error(`${file} was signed with another key: ${says}.`)
  if (verdict.kind !== 'good') throw new Error(`${file} was changed after it was signed: ${says}.`)
  return `Good: ${says}.`
}
