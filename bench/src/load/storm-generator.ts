/** Runs the boards of a connection benchmark in their own process. */
import { answerParent } from '../child.ts'
import { connectAll, type Storm } from './connect-storm.ts'
import type { Target } from './target.ts'

let storm: Storm | null = null

answerParent(async (question: { do: 'connect'; target: Target } | { do: 'close' }) => {
  if (question.do === 'close') {
    storm?.close()
    storm = null
    return null
  }
  storm = await connectAll(question.target)
  return { perSecond: storm.perSecond, failed: storm.failed }
})
