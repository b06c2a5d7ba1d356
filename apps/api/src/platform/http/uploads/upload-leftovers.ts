import { systemClock } from '@batti/kit/clock'
import { minuteMs } from '@batti/kit/durations'
import { existsSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { partEnding } from '../../store/files/files.ts'
import { longestRequestMs } from '../limits/slow-bodies.ts'

export const uploadEnding = '.upload'

/** Removes what a killed process was writing, here and in folders below: older than any request can be. */
export async function removeLeftovers(folder: string, now: number): Promise<void> {
  const names = existsSync(folder) ? await readdir(folder, { recursive: true }) : []
  for (const name of names) {
    if (!name.endsWith(uploadEnding) && !name.endsWith(partEnding)) continue
    const path = join(folder, name)
    const found = await stat(path).catch(() => null)
    if (found !== null && now - found.mtimeMs > longestRequestMs) await rm(path, { force: true })
  }
}

/** Removes them now, and once more when everything present at the start is old enough. */
export function removeLeftoversPeriodically(folders: readonly string[], log: Logger): void {
  const remove = (): void => {
    for (const folder of folders)
      removeLeftovers(folder, systemClock.now()).catch((error: unknown) =>
        log.warn({ err: error, folder }, 'partial uploads could not be removed')
      )
  }
  remove()
  setTimeout(remove, longestRequestMs + minuteMs).unref()
}
