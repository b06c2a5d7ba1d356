import { systemClock } from '@batti/kit/clock'
import { minuteMs } from '@batti/kit/durations'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { longestRequestMs } from '../limits/slow-bodies.ts'

export const uploadEnding = '.upload'

/** Removes partial uploads of a process that was killed: older than any request can be. */
export async function removeLeftovers(folder: string, now: number): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(uploadEnding))
  for (const name of names) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => null)
    if (found !== null && now - found.mtimeMs > longestRequestMs) await rm(path, { force: true })
  }
}

/** Removes them now, and once more when everything present at the start is old enough. */
export function removeLeftoversPeriodically(folder: string, log: Logger): void {
  const remove = (): Promise<void> =>
    removeLeftovers(folder, systemClock.now()).catch((error: unknown) =>
      log.warn({ err: error, folder }, 'partial uploads could not be removed')
    )
  void remove()
  setTimeout(() => void remove(), longestRequestMs + minuteMs).unref()
}
