import { firmwareMaxBytes } from '@batti/contracts'

/** Returns the fault of a file that can be detected before the upload, or null. */
export function uploadFault(
  file: Pick<File, 'name' | 'size'>
): 'files.onlyBin' | 'files.tooLarge' | 'files.isEmpty' | null {
  if (!file.name.toLowerCase().endsWith('.bin')) return 'files.onlyBin'
  if (file.size === 0) return 'files.isEmpty'
  return file.size > firmwareMaxBytes ? 'files.tooLarge' : null
}

/** Estimates the remaining whole seconds from the speed so far; null while that is too uncertain. */
export function secondsLeft(fraction: number, tookMs: number): number | null {
  if (fraction < 0.05 || tookMs < 500) return null
  return Math.max(1, Math.ceil((tookMs * (1 - fraction)) / fraction / 1000))
}
