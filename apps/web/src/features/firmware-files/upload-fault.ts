import { firmwareMaxBytes } from '@batti/contracts'

/** What is wrong with a file before anything of it is sent; null for what the server is to judge. */
export function uploadFault(
  file: Pick<File, 'name' | 'size'>
): 'files.onlyBin' | 'files.tooLarge' | 'files.isEmpty' | null {
  if (!file.name.toLowerCase().endsWith('.bin')) return 'files.onlyBin'
  if (file.size === 0) return 'files.isEmpty'
  return file.size > firmwareMaxBytes ? 'files.tooLarge' : null
}

/** How long the rest takes at the pace so far, in whole seconds; null while that is a guess. */
export function secondsLeft(fraction: number, tookMs: number): number | null {
  if (fraction < 0.05 || tookMs < 500) return null
  return Math.max(1, Math.ceil((tookMs * (1 - fraction)) / fraction / 1000))
}
