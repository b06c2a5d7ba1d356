import { minuteMs } from '@batti/kit/durations'
import type { Feature } from '../platform/feature.ts'
import { longestRequestMs } from '../platform/http/limits/slow-bodies.ts'
import type { Platform } from '../platform/platform.ts'
import { isFileNamed } from './missing-files.ts'

/** Removes, at the start and from time to time, stored files whose request ended before their record was written. */
export function createFileSettling({
  connection,
  log,
  settleFiles
}: Pick<Platform, 'connection' | 'log' | 'settleFiles'>) {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()

  async function settle(): Promise<void> {
    const database = connection.db
    if (database === undefined) return
    try {
      await settleFiles((key) => isFileNamed(database, key))
    } catch (error) {
      log.warn({ err: error }, 'files without a record could not be looked for; they will be later')
    }
  }
  const run = (): void => void (running = running.then(settle))

  return {
    start() {
      run()
      timer = setInterval(run, longestRequestMs + minuteMs)
    },
    async stop() {
      clearInterval(timer)
      await running
    }
  } satisfies Feature
}
