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

test('input that cannot be hashed fails alone, and the next one works', async () => {
  threads = createBcryptThreads(1)
  await expect(threads.compare('text', 'no hash at all')).resolves.toBe(false)
  await expect(threads.hash('text', 'many' as unknown as number)).rejects.toThrow('could not')
  expect(await threads.hash('text', 4)).toMatch(/^\$2b\$04\$/)
})

test('after a stop new work is refused, and waiting work is rejected', async () => {
  threads = createBcryptThreads(1)
  const outcome = threads.hash('text', 14).catch(String)
  await threads.stop()
  expect(await outcome).toContain('ended')
  await expect(threads.hash('text', 4)).rejects.toThrow('stopping')
})

test('an idle thread ends, and the next password starts another', async () => {
  threads = createBcryptThreads(2, { idleMs: 20 })
  await threads.hash('text', 4)
  expect(threads.running()).toBe(1)
  await expect.poll(() => threads.running()).toBe(0)
  expect(await threads.hash('text', 4)).toMatch(/^\$2b\$04\$/)
})
