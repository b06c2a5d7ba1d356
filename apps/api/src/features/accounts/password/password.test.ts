import bcrypt from 'bcrypt'
import { expect, test } from 'vitest'
import { createPasswordQueue } from './password-queue.ts'
import { readCommonPasswords } from './common-passwords.ts'
import { createPasswords } from './password.ts'

const common = readCommonPasswords()
const passwords = createPasswords({ bcrypt, cost: 4, common, run: createPasswordQueue(2) })

test('a hash matches its own password alone', async () => {
  const hash = await passwords.hash('lamp under the stairs')
  expect(hash).toMatch(/^\$2b\$04\$/)
  expect(await passwords.matches('lamp under the stairs', hash)).toBe(true)
  expect(await passwords.matches('lamp under the stair', hash)).toBe(false)
  expect(await passwords.hash('lamp under the stairs')).not.toBe(hash)
})

test('nothing is truncated: 256 characters of four bytes that differ only in the last are distinguished', async () => {
  const long = '🪔'.repeat(128)
  const hash = await passwords.hash(long)
  expect(await passwords.matches(long, hash)).toBe(true)
  expect(await passwords.matches(`${'🪔'.repeat(127)}🏮`, hash)).toBe(false)
})

test('no password matches an account that has none', async () => {
  for (const password of ['', 'null', 'lamp under the stairs'])
    expect(await passwords.matches(password, null)).toBe(false)
})

test('an account without a password costs a comparison with a dummy hash of the current cost', async () => {
  const compared: string[] = []
  const watched = createPasswords({
    bcrypt: { hash: bcrypt.hash, compare: (text, hash) => (compared.push(hash), bcrypt.compare(text, hash)) },
    cost: 5,
    common,
    run: createPasswordQueue(1)
  })
  await watched.matches('lamp under the stairs', null)
  expect(compared).toEqual([expect.stringMatching(/^\$2b\$05\$[./A-Za-z0-9]{53}$/)])
  expect(bcrypt.getRounds(compared[0] ?? '')).toBe(5)
})

test('the guard decides when the computation starts, and is told of a failure before the next one', async () => {
  const order: string[] = []
  const one = createPasswords({ bcrypt, cost: 4, common, run: createPasswordQueue(1) })
  const guard = (name: string) => ({
    before: async () => void order.push(`${name} before`),
    failed: async () => void order.push(`${name} failed`)
  })
  await Promise.all([one.matches('x', null, guard('first')), one.matches('x', null, guard('second'))])
  expect(order).toEqual(['first before', 'first failed', 'second before', 'second failed'])
  const refused = { before: () => Promise.reject(new Error('too often')), failed: () => Promise.resolve() }
  await expect(one.matches('x', null, refused)).rejects.toThrow('too often')
})

test('a hash of another cost must be renewed', async () => {
  const hash = await passwords.hash('lamp under the stairs')
  expect(passwords.isOutdated(hash)).toBe(false)
  expect(createPasswords({ bcrypt, cost: 5, common, run: createPasswordQueue(1) }).isOutdated(hash)).toBe(true)
})

test('the list contains the most common ones, in upper and lower case, and thousands more', () => {
  expect(common.size).toBeGreaterThan(3000)
  for (const password of [
    'password1',
    'Password123',
    'QWERTYUIOP',
    'iloveyou1',
    'nepal@123',
    'ｐａｓｓｗｏｒｄ１',
    'abababab',
    '87654321',
    'abcdefgh',
    'testtest',
    'qwertyui'
  ]) {
    expect(() => passwords.refuseCommon(password, 'password', []), password).toThrow('easy to guess')
  }
  expect(() => passwords.refuseCommon('Sita@Example.com', 'password', ['sita@example.com'])).toThrow('easy to guess')
  passwords.refuseCommon('lamp under the stairs', 'password', ['sita@example.com', ''])
})
