/**
 * How long to wait before attempt number `failures + 1`: doubles from `firstMs` to `maxMs`, and lies anywhere in the
 * upper half of that, so that a thousand boards that lost the same broker do not come back in the same instant.
 */
export function backoffMs(failures: number, firstMs: number, maxMs: number, random: () => number): number {
  const ceiling = Math.min(maxMs, firstMs * 2 ** Math.min(Math.max(failures - 1, 0), 30))
  return Math.round(ceiling * (0.5 + random() / 2))
}
