import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSecretBox } from './secret-box.ts'

const newKey = () => randomBytes(32).toString('base64')

test('a sealed text opens to the same text, and no two seals of it are alike', () => {
  const box = createSecretBox({ key: newKey() })
  for (const plain of ['', 'घरको वाइफाइ', 'x'.repeat(5000)]) {
    const sealed = box.seal(plain, 'device:1')
    expect(box.open(sealed, 'device:1')).toBe(plain)
    expect(box.seal(plain, 'device:1')).not.toBe(sealed)
  }
})

test('a sealed text neither contains its plain text nor opens in another context', () => {
  const box = createSecretBox({ key: newKey() })
  const sealed = box.seal('hunter22', 'device:1')
  expect(sealed).not.toContain('hunter22')
  expect(sealed).not.toContain(Buffer.from('hunter22').toString('base64url'))
  expect(box.open(sealed, 'device:2')).toBeNull()
})

test('one changed character anywhere in the body prevents opening', () => {
  const box = createSecretBox({ key: newKey() })
  const sealed = box.seal('secret', 'c')
  const start = sealed.lastIndexOf('.') + 1
  for (let at = start; at < sealed.length - 1; at += 1) {
    const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1)
    expect(box.open(changed, 'c')).toBeNull()
  }
})

test('after a rotation the earlier key still opens, new seals use the new key, and a removed key opens nothing', () => {
  const [first, second] = [newKey(), newKey()]
  const before = createSecretBox({ key: first })
  const sealed = before.seal('secret', 'c')
  const rotated = createSecretBox({ key: second, previousKeys: `${newKey()}, ${first}` })
  expect(rotated.open(sealed, 'c')).toBe('secret')
  expect(rotated.isCurrent(sealed)).toBe(false)
  const again = rotated.seal('secret', 'c')
  expect(rotated.isCurrent(again)).toBe(true)
  expect(before.open(again, 'c')).toBeNull()
  expect(createSecretBox({ key: second }).open(sealed, 'c')).toBeNull()
})

test('invalid data opens to nothing instead of throwing', () => {
  const box = createSecretBox({ key: newKey() })
  for (const garbage of [
    '',
    '.',
    'v1',
    'v1..',
    'v2.abcdef12.AAAA',
    'plain text',
    `${box.seal('x', 'c').slice(0, 20)}`
  ]) {
    expect(box.open(garbage, 'c')).toBeNull()
  }
})

test('a key of another length is refused at once', () => {
  expect(() => createSecretBox({ key: randomBytes(16).toString('base64') })).toThrow('32 bytes')
})

test('what is in the databases of today opens for good', () => {
  const key = Buffer.alloc(32, 7).toString('base64')
  const sealed = 'v1.4bb06f8e.U4Q6HZcrW5kpDk57kyB-CkpneGny50Ri8ToplKOWOop-_g'
  expect(createSecretBox({ key }).open(sealed, 'device:1')).toBe('घर')
  expect(createSecretBox({ key: newKey(), previousKeys: `${key}, ` }).open(sealed, 'device:1')).toBe('घर')
  expect(createSecretBox({ key }).open(sealed.replace('v1', 'v2'), 'device:1')).toBeNull()
})
