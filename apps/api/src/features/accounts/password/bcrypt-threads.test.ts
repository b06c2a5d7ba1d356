import bcrypt from 'bcrypt'
import { afterEach, expect, test } from 'vitest'
import { createBcryptThreads, type BcryptThreads } from './bcrypt-threads.ts'

let threads: BcryptThreads
afterEach(() => threads.stop())

test('hashes are those of bcrypt, computed and compared on several threads at once', async () => {
  threads = createBcryptThreads(2)
  const texts = Array.from({ length: 12 }, (_, index) => `text ${index}`)
  const hashes = await Promise.all(texts.map((text) => threads.hash(text, 4)))
  for (const [index, hash] of hashes.entries()) expect(await bcrypt.compare(texts[index] ?? '', hash)).toBe(true)
  const right = await Promise.all(hashes.map((hash, index) => threads.compare(texts[index] ?? '', hash)))
  expect(right.every(Boolean)).toBe(true)
  expect(await threads.compare('another', hashes[0] ?? '')).toBe(false)
})

const onThreads = { idleMs: 500, usesPool: false }
const withPool = { idleMs: 20, usesPool: true }

test('a password that comes alone needs no thread, and those that come meanwhile get threads', async () => {
  threads = createBcryptThreads(2, withPool)
  const alone = threads.hash('text', 4)
  expect(threads.running()).toBe(0)
  const meanwhile = [threads.hash('text', 4), threads.compare('text', 'no hash')]
  expect(threads.running()).toBe(2)
  const first = await alone
  expect(await bcrypt.compare('text', first)).toBe(true)
  expect(await Promise.all(meanwhile)).toEqual([expect.stringMatching(/^\$2b\$04\$/), false])
  await expect.poll(() => threads.running()).toBe(0)
  const next = threads.compare('text', first)
  expect(threads.running()).toBe(0)
  expect(await next).toBe(true)
})

test.each([
  ['a thread', onThreads],
  ["Node's pool", withPool]
])('input that cannot be hashed on %s fails alone, and the next one works', async (_where, limits) => {
  threads = createBcryptThreads(1, limits)
  await expect(threads.compare('text', 'no hash at all')).resolves.toBe(false)
  await expect(threads.hash('text', 'many' as unknown as number)).rejects.toThrow('could not')
  expect(await threads.hash('text', 4)).toMatch(/^\$2b\$04\$/)
})

test('after a stop new work is refused, and work that waits for a thread is rejected', async () => {
  threads = createBcryptThreads(1, onThreads)
  const outcome = threads.hash('text', 14).catch(String)
  await threads.stop()
  expect(await outcome).toContain('ended')
  await expect(threads.hash('text', 4)).rejects.toThrow('stopping')
})

test('an idle thread ends, and the next password starts another', async () => {
  threads = createBcryptThreads(2, { ...onThreads, idleMs: 20 })
  await threads.hash('text', 4)
  expect(threads.running()).toBe(1)
  await expect.poll(() => threads.running()).toBe(0)
  expect(await threads.hash('text', 4)).toMatch(/^\$2b\$04\$/)
})
