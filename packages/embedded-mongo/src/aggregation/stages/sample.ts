import { isDocument, type Document } from '../../bson/document.ts'
import { isNumeric, toNumber } from '../../bson/numbers.ts'
import { MongoError } from '../../errors.ts'
import { sizeOfValue } from '../../storage/memory.ts'
import { PAUSE } from '../../storage/pause.ts'
import type { PipelineOptions, Stage } from './stage.ts'

/** `$sample`: selects documents at random. */
export function compileSample(spec: unknown, { random, memory }: PipelineOptions): Stage {
  const size = isDocument(spec) ? spec['size'] : undefined
  if (!isNumeric(size) || toNumber(size) <= 0)
    throw new MongoError(28747, 'size argument to $sample must be a positive number')
  const wanted = Math.trunc(toNumber(size))
  return function* sampling(source) {
    // Reservoir sampling: every document is equally likely, and at most `size` are held.
    const held: Document[] = []
    let seen = 0
    const share = memory.share('$sample')
    try {
      for (const document of source) {
        if (document === PAUSE) {
          yield document
          continue
        }
        seen++
        if (held.length < wanted) {
          share.hold(sizeOfValue(document))
          held.push(document)
        } else {
          const at = Math.floor(random() * seen)
          if (at < wanted) held[at] = document
        }
      }
      for (let i = held.length - 1; i > 0; i--) {
        const j = Math.floor(random() * (i + 1))
        const [a, b] = [held[i], held[j]]
        if (a && b) [held[i], held[j]] = [b, a]
      }
      yield* held
    } finally {
      share.release()
    }
  }
}
