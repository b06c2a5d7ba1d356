/**
 * Documents in one command at most. A bigger command may take longer than a call waits for the database (`database.ts`),
 * and would then be sent again and again without ever coming to an end.
 */
export const commandMax = 500

export function inBatches<T>(list: readonly T[], size = commandMax): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size)
  )
}
