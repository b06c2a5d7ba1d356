import type { Timers } from '@batti/kit/clock'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { certificatePaths } from './certificate-files.ts'
import { ensureCertificates, renewInTime, warningsOfCa, type CertificateFiles } from './certificates.ts'
import type { Settings } from '../config.ts'
import { holdsDatabase } from '../data/data-folder.ts'
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
      const isReplaced = holdsDatabase(data) && !existsSync(certificatePaths(folder).ca)
      const files = await ensureCertificates({ folder, addresses, now: clock.now() }).catch((error: unknown) => {
        step.failed()
        throw error
      })
      step.done(files.made ? 'made' : 'are good')
      if (isReplaced) progress.say(caReplaced(folder))
      for (const warning of warningsOfCa(folder, clock.now())) progress.say(warning)
      stopRenewal = renewInTime({ clock, folder, addresses, say: (line) => progress.say(line) })
      return files
    },
    stop: () => stopRenewal()
  }
}

const caReplaced = (folder: string): string =>
  `${folder} had no CA, and has a new one, which boards that were paired before do not trust: stop Batti and put the folder ` +
  'back from a backup, or pair them anew.'
