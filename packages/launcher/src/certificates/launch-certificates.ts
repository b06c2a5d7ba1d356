import type { Timers } from '@batti/kit/clock'
import { join } from 'node:path'
import { ensureCertificates, renewInTime, warningsOfCa, type CertificateFiles } from './certificates.ts'
import type { Settings } from '../config.ts'
import type { Progress } from '../launch/progress.ts'

/** The certificate of a launch: the user's own, or one that the launcher makes and renews. */
export interface LaunchCertificates {
  /** Makes the certificate and starts its renewal. `houses` are this machine's addresses in the local network, added to it. */
  prepare(houses: readonly string[]): Promise<CertificateFiles>
  /** Stops the renewal. */
  stop(): void
}

export function createLaunchCertificates(parts: {
  data: string
  settings: Settings
  clock: Timers
  progress: Progress
}): LaunchCertificates {
  const { data, settings, clock, progress } = parts
  const folder = join(data, 'certs')
  let stopRenewal = (): void => undefined

  return {
    async prepare(houses) {
      const own = settings.ownCertificate
      if (own !== null) return { ...own, caFile: own.caFile ?? '' }
      const { MQTT_PUBLIC_HOST: publicHost } = settings.env
      const addresses = [...houses, ...(publicHost === undefined ? [] : [publicHost])]
      const step = progress.step('Certificates')
      const files = await ensureCertificates({ folder, addresses, now: clock.now() }).catch((error: unknown) => {
        step.failed()
        throw error
      })
      step.done(files.made ? 'made' : 'are good')
      for (const warning of warningsOfCa(folder, clock.now())) progress.say(warning)
      stopRenewal = renewInTime({ clock, folder, addresses, say: (line) => progress.say(line) })
      return files
    },
    stop: () => stopRenewal()
  }
}
