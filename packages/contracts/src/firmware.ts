import { z } from 'zod'
import { commandId } from './ids.ts'

/** Largest accepted image, in bytes. */
export const firmwareMaxBytes = 16 * 1024 * 1024

/** Two to four numbers, separated by dots. */
export const versionPattern = /^\d{1,9}(?:\.\d{1,9}){1,3}$/
export const firmwareVersion = z.string().max(32).regex(versionPattern, 'must be a version such as 1.4.2')

/** Compares versions number by number (1.10.0 is above 1.9.9). An invalid version is below every valid one. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [numbersOf(a), numbersOf(b)]
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0)
    if (difference !== 0) return Math.sign(difference)
  }
  return 0
}

/** Returns a text that sorts in the same order in a database: `1.10.0` above `1.9.9`; '' for an invalid version. */
export const versionOrderOf = (version: string): string =>
  versionPattern.test(version)
    ? version
        .split('.')
        .map((part) => part.padStart(9, '0'))
        .join('.')
    : ''

const numbersOf = (version: string): number[] => (versionPattern.test(version) ? version.split('.').map(Number) : [-1])

/** The progress of one board's update, as screens receive it. `rolled-back`: it runs the previous version again. */
export const updatePhases = [
  'waiting',
  'sent',
  'download',
  'verify',
  'install',
  'reboot',
  'proving',
  'done',
  'failed',
  'rolled-back',
  'skipped'
] as const
export const updatePhase = z.enum(updatePhases)
export type UpdatePhase = z.infer<typeof updatePhase>

/** Why an update failed. Boards begin the `error` of their `firmware-progress` with one of these. */
export const updateErrorCodes = [
  'download-failed',
  'checksum',
  'signature',
  'wrong-model',
  'older-secure-version',
  'no-space',
  'install-failed',
  'boot-failed',
  'server-unreachable',
  'no-progress',
  'power-lost',
  'went-silent',
  'rejected'
] as const
export const updateErrorCode = z.enum(updateErrorCodes)
export type UpdateErrorCode = z.infer<typeof updateErrorCode>

export const updateError = z.object({ code: updateErrorCode, detail: z.string().nullable() })
export type UpdateError = z.infer<typeof updateError>

/** The update in progress on a board; `phase` and `percent` as screens show them. */
export const deviceFirmware = z.object({
  id: commandId,
  version: z.string(),
  phase: updatePhase,
  percent: z.number().min(0).max(100)
})
export type DeviceFirmware = z.infer<typeof deviceFirmware>

/** Socket event `firmware-progress`, to the board's owner and to staff. `error` is the board's message of a failure. */
export const firmwareProgressEvent = deviceFirmware.omit({ version: true }).extend({
  deviceMac: z.string(),
  version: z.string().optional(),
  code: updateErrorCode.optional(),
  error: z.string().max(256).optional()
})
export type FirmwareProgressEvent = z.infer<typeof firmwareProgressEvent>
