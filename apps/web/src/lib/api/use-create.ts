import { useMakeOnce } from './use-make-once.ts'

const newestFirst = { sort: '-createdAt', limit: 20 } as const

/**
 * Returns a call by which staff create a record only once: after a try with an unknown outcome, it is looked for among
 * the newest of its list.
 */
export function useCreate<Input, Made extends { createdAt: string }>(
  make: (input: Input) => Promise<Made>,
  newest: (query: typeof newestFirst) => Promise<readonly Made[]>,
  isSame: (made: Made, input: Input) => boolean
) {
  return useMakeOnce(make, async (input, sinceMs) =>
    (await newest(newestFirst)).find((made) => Date.parse(made.createdAt) >= sinceMs && isSame(made, input))
  )
}
