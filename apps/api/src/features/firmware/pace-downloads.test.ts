import { expect, test } from 'vitest'
import { createPace } from './pace-downloads.ts'

async function* parts(...sizes: number[]): AsyncGenerator<Buffer> {
  for (const size of sizes) yield await Promise.resolve(Buffer.alloc(size))
}
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('downloads take turns, and together no more than the rate', async () => {
  const waits: { ms: number; end: () => void }[] = []
  const after = (ms: number, end: () => void) => {
    waits.push({ ms, end })
    return () => undefined
  }
  const paced = createPace({ after }, 1000)
  const came: string[] = []
  const read = async (name: string, source: AsyncIterable<Buffer>): Promise<void> => {
    for await (const part of paced(source)) came.push(`${name} ${part.length}`)
  }
  const ends = [read('a', parts(100, 50)), read('b', parts(200))]
  await settled()
  expect(came).toEqual(['a 100'])
  expect(waits.map(({ ms }) => ms)).toEqual([100])
  waits[0]?.end()
  await settled()
  expect(came).toEqual(['a 100', 'b 200'])
  expect(waits.map(({ ms }) => ms)).toEqual([100, 200])
  waits[1]?.end()
  await Promise.all(ends)
  expect(came).toEqual(['a 100', 'b 200', 'a 50'])
})
