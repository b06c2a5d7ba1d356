/**
 * The most documents per command. A larger command might exceed the deadline of a call (`database.ts`), and would then be
 * retried forever.
 */
export const commandMax = 500

export function inBatches<T>(list: readonly T[], size = commandMax): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size)
  )
}
