import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApi, type TestApi } from '../../testing/test-api.ts'

let app: TestApi
beforeAll(async () => void (app = await startApi({ env: { LIMIT_REPORTS: '20', LIMIT_LOG_ROWS: '2' } })))
afterAll(() => app.stop())

test("an answer beyond the board's row limit is logged with its person once it is repeated, after newer answers", async () => {
  const sita = app.person()
  const { id, board, switchIds } = await app.device(sita)
  const rows = async () => {
    await app.settled()
    return app.models.actionLogs.find({ deviceId: id }).lean()
  }
  for (let press = 0; press < 10; press += 1) board.report({ changed: [3] })
  expect(await rows()).toHaveLength(10)
  for (const switchId of switchIds.slice(0, 2))
    expect((await app.call('PATCH', `/switches/by-id/${switchId}`, sita, { status: true })).statusCode).toBe(200)
  const commandId = board.commands[0]?.id
  const repeat = (): void => board.report({ seq: 12, cause: 'command', commandId, result: 'applied' })
  for (let times = 0; times < 4; times += 1) {
    expect(await rows()).toHaveLength(10)
    app.clock.advance(7000)
    app.link.sweep()
    repeat()
  }
  app.clock.advance(3000)
  repeat()
  const answers = async () => (await rows()).filter((row) => row.commandId !== null)
  await expect.poll(answers).toMatchObject([{ commandId, switchIndex: 0, cause: { by: 'user', userId: sita.userId } }])
})
