import { expect, test } from 'vitest'
import { createDownloadThrottle } from './throttle-downloads.ts'

async function* parts(...sizes: number[]): AsyncGenerator<Buffer> {
  for (const size of sizes) yield await Promise.resolve(Buffer.alloc(size))
}
const settled = () => new Promise((resolve) => setImmediate(resolve))

/** Downloads at 1000 bytes a second on a clock of their own, and what they received so far. */
function start() {
  let now = 0
  const waits: { ms: number; end: () => void }[] = []
  const after = (ms: number, end: () => void) => {
    waits.push({ ms, end })
    return () => undefined
  }
  const paced = createDownloadThrottle({ after, monotonic: () => now }, 1000)
  const came: string[] = []
  return {
    came,
    async read(name: string, source: AsyncIterable<Buffer>, isOver = () => false): Promise<void> {
      for await (const part of paced(source, isOver)) came.push(`${name} ${part.length}`)
    },
    /** Lets the current turn end. Returns how long it took. */
    async pass(): Promise<number | undefined> {
      const wait = waits.shift()
      now += wait?.ms ?? 0
      wait?.end()
      await settled()
      return wait?.ms
    }
  }
}

test('downloads together do not exceed the rate, and the first finishes first', async () => {
  const { came, read, pass } = start()
  const ends = [read('a', parts(100, 50)), read('b', parts(200))]
  await settled()
  expect(came).toEqual(['a 100'])
  expect(await pass()).toBe(100)
  expect(came).toEqual(['a 100', 'a 50'])
  expect(await pass()).toBe(50)
  await Promise.all(ends)
  expect(came).toEqual(['a 100', 'a 50', 'b 200'])
})

test('a download that waited for a second gets the next turn', async () => {
  const { came, read, pass } = start()
  const ends = [read('a', parts(600, 600, 600)), read('b', parts(100, 100))]
  await settled()
  await pass()
  await pass()
  expect(came).toEqual(['a 600', 'a 600', 'b 100'])
  await pass()
  expect(came.at(-1)).toBe('a 600')
  await pass()
  await Promise.all(ends)
  expect(came.at(-1)).toBe('b 100')
})

test('a turn that nobody waits for is kept for the next one', async () => {
  const { came, read, pass } = start()
  const first = read('a', parts(100))
  await settled()
  await pass()
  await first
  await read('b', parts(100))
  expect(came).toEqual(['a 100', 'b 100'])
})

test('a download that has ended gives its turn to the next one at once', async () => {
  const { came, read, pass } = start()
  const ends = [read('a', parts(100)), read('b', parts(500), () => true), read('c', parts(100))]
  await settled()
  expect(await pass()).toBe(100)
  expect(came).toEqual(['a 100', 'c 100'])
  await Promise.all(ends)
})
