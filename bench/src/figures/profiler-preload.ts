/**
 * Preloaded into profiled parts. The first SIGUSR2 starts a CPU profile of the main thread; the second one writes it to
 * `PROFILE_DIR/PID.cpuprofile`.
 */
import { renameSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'

const folder = process.env['PROFILE_DIR']

if (isMainThread && folder !== undefined) {
  const session = new Session()
  let isOn = false

  const turn = async (): Promise<void> => {
    isOn = !isOn
    if (isOn) {
      session.connect()
      await session.post('Profiler.enable')
      await session.post('Profiler.setSamplingInterval', { interval: 250 })
      await session.post('Profiler.start')
      return
    }
    const { profile } = await session.post('Profiler.stop')
    const file = join(folder, `${process.pid}.cpuprofile`)
    writeFileSync(`${file}.new`, JSON.stringify(profile))
    renameSync(`${file}.new`, file)
    session.disconnect()
  }
  process.on('SIGUSR2', () => void turn())
}
