import { createServer } from 'node:http'
import { systemClock } from '@batti/kit/clock'
import { close, listen } from '@batti/kit/node/listen'
import { freePort } from '@batti/kit/node/ports'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { readConfig } from './platform/config.ts'
import { startApi, whyNotStarted } from './start.ts'
import { takeDatabase } from './testing/test-database.ts'
import { testSecrets } from './testing/test-secrets.ts'

const ports = { PORT: '0', INTERNAL_PORT: '0', METRICS_PORT: '0' }

/** The output of a start with these settings. */
async function whyNot(settings: Record<string, string>): Promise<string> {
  const config = readConfig({ ...testSecrets(), ...ports, ...settings })
  const started = await startApi({ config, clock: systemClock, log: pino({ enabled: false }) }).catch(whyNotStarted)
  if (typeof started === 'string') return started
  await started.stop()
  return 'it started'
}

test('a start that fails because of a setting names it', async () => {
  const database = await takeDatabase()
  const MONGODB_URI = database.uri
  expect(await whyNot({ MONGODB_URI: 'house' })).toMatch(/the database of MONGODB_URI cannot be used: Invalid scheme/)
  expect(await whyNot({ MONGODB_URI, DATA_DIR: import.meta.filename })).toMatch(
    /the folder of DATA_DIR \(.*\.ts\) cannot be used: ENOTDIR/
  )
  expect(await whyNot({ MONGODB_URI, INTERNAL_HOST: 'host.invalid' })).toMatch(
    /INTERNAL_HOST .*Port 0 on host\.invalid .*this machine has no such address\. Choose one that it has/
  )
  await database.leave()
})

test.each(['::', '::1'])('an api without PUBLIC_URL starts with HOST=%s', async (HOST) => {
  const database = await takeDatabase()
  expect(await whyNot({ MONGODB_URI: database.uri, HOST })).toBe('it started')
  await database.leave()
})

test('the log says where the metrics are, or that another program uses their port', async () => {
  const database = await takeDatabase()
  const taken = createServer()
  const metricsPort = await freePort()
  await listen(taken, metricsPort)
  const lines: Record<string, unknown>[] = []
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) })
  const up = async (): Promise<unknown> => {
    const env = { ...testSecrets(), ...ports, METRICS_PORT: String(metricsPort), MONGODB_URI: database.uri }
    await (await startApi({ config: readConfig(env), clock: systemClock, log })).stop()
    return lines.findLast(({ msg }) => msg === 'the api is up')?.['metricsPort']
  }
  expect(await up()).toBeNull()
  await close(taken)
  expect(await up()).toBe(metricsPort)
  await database.leave()
})
