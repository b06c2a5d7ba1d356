import { testFolder } from '@batti/kit/node/testing'
import { createFakeClock } from '@batti/kit/testing'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createLaunchCertificates } from '../certificates/launch-certificates.ts'
import { readSettings } from '../config.ts'
import { readSecrets } from '../data/secrets.ts'
import { adminOf } from './launch-accounts.ts'
import { planLaunch } from './launch-plan.ts'
import { createProgress } from './progress.ts'

/** The reason why a start in a folder without a web app, and without the packages to build it, fails with these settings. */
async function whyNot(env: Record<string, string>): Promise<string> {
  const root = testFolder('plan')
  const data = join(root, 'home')
  const clock = createFakeClock(Date.now())
  const settings = readSettings(env)
  const progress = createProgress({ clock, terminal: { write: () => undefined, isTTY: false } })
  const certificates = createLaunchCertificates({ data, settings, clock, progress })
  onTestFinished(() => certificates.stop())
  const secrets = readSecrets({ folder: data, production: false, env })
  return planLaunch({
    options: { data, port: 0, mqttPort: 0, lan: false, empty: true, json: true, dev: false },
    settings,
    root,
    secrets,
    admin: adminOf(secrets, env),
    certificates,
    progress
  }).then(
    () => 'it started',
    (error: Error) => error.message
  )
}

it('wrong settings of api and broker are reported before the web app is built', async () => {
  expect(await whyNot({ BCRYPT_COST: '99', MQTT_PACKETS_BURST: 'many' })).toBe(
    "The api's settings are not right:\n- BCRYPT_COST: must be at most 15\nbroker: MQTT_PACKETS_BURST: must be a whole number"
  )
})

it('settings that are right, or that the start replaces, are not refused', async () => {
  expect(await whyNot({ HOST: 'no host', MQTT_HOST: 'no host', BCRYPT_COST: '12' })).toMatch(
    /^The packages are not installed/
  )
})
