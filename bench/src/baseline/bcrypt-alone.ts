/** Measures bcrypt at cost 12 alone, with the api's own library, and as many hashes at once as there are cores. */
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { answerParent } from '../child.ts'

interface Bcrypt {
  hash(text: string, cost: number): Promise<string>
  compare(text: string, hash: string): Promise<boolean>
}
// Resolved from the api's folder, so that it is the same build of the same version.
const bcrypt = createRequire(new URL('../../../apps/api/package.json', import.meta.url))('bcrypt') as Bcrypt
const cost = 12

answerParent(async ({ count }: { count: number }) => {
  const hash = await bcrypt.hash('a long walk home', cost)
  let left = count
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: availableParallelism() }, async () => {
      for (; left > 0;) {
        left -= 1
        await bcrypt.compare('a long walk home', hash)
      }
    })
  )
  return (count * 1000) / (performance.now() - startedAt)
})
