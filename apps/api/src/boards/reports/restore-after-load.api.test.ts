import { systemClock } from '@batti/kit/clock'
import { Types } from 'mongoose'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { compose } from '../../compose.ts'
import { readConfig } from '../../platform/config.ts'
import { testDatabaseTimeoutMs } from '../../testing/database-timeout.ts'
import { startApi } from '../../testing/test-api.ts'
import { testSecrets } from '../../testing/test-secrets.ts'

test('a board that was loaded before its state was restored from the log has the restored state', async () => {
  const app = await startApi()
  const { id } = await app.device(app.person())
  await app.settled()
  const { bootId, seq } = (await app.models.devices.findById(id).lean()) ?? { bootId: '', seq: 0 }
  // What a killed process had stored: the change, but not yet the state.
  await app.models.actionLogs.create({
    _id: new Types.ObjectId(),
    kind: 'change',
    description: 'Switch 1 turned ON',
    from: 'board',
    deviceId: id,
    switchIndex: 0,
    state: true,
    speed: 0,
    report: { bootId, seq: seq + 5 },
    createdAt: new Date()
  })
  const next = await compose({
    config: readConfig({ ...testSecrets(), MONGODB_URI: app.uri, DATA_DIR: app.dataDir }),
    clock: systemClock,
    log: pino({ enabled: false }),
    overrides: {
      openLink: (handlers) => app.broker.openLink(handlers),
      firesByHand: true,
      databaseDeadlineMs: testDatabaseTimeoutMs
    }
  })
  const { directory } = next.parts.boards
  // As the broker's question does, while the process starts.
  expect((await directory.find(id))?.seq).toBe(seq)
  await next.start()
  expect(directory.known(id)).toMatchObject({ bootId, seq: seq + 5 })
  expect(directory.known(id)?.outlets[0]?.on).toBe(true)
  await next.stop()
  await app.stop()
})
