import type { RolloutRecord } from '@batti/contracts'

/** Formats the firmware of a rollout, as "wall-fan 1.5.0" for "wall-fan-1.5.0.bin". */
export function firmwareTitle({ fileName, version }: Pick<RolloutRecord, 'fileName' | 'version'>): string {
  const name = (fileName ?? '').replace(/\.bin$/i, '').replace(/[-_]v?\d+(?:\.\d+){1,3}$/, '')
  return version === null ? name : `${name} ${version}`
}
