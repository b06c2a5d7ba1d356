import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApi, type TestApi } from '../../testing/test-api.ts'

let app: TestApi
beforeAll(async () => void (app = await startApi({ env: { LIMIT_REPORTS: '20', LIMIT_LOG_ROWS: '2' } })))
afterAll(() => app.stop())

async function rowsOf(deviceId: string) {
  await app.settled()
  return app.models.actionLogs.find({ deviceId }).sort({ createdAt: -1 }).lean()
}

test("an answer beyond the board's row limit is logged with its person once it is repeated, after newer answers", async () => {
  const sita = app.person()
  const { id, board, switchIds } = await app.device(sita)
  const rows = () => rowsOf(id)
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

test('a press that its board has to repeat for half a minute is logged once, as a press', async () => {
  const { id, board } = await app.device(app.person())
  app.clock.advance(60_000)
  for (let report = 0; report < 100; report += 1) board.report({ cause: 'resync' })
  const press = (fields: { seq?: number } = {}): void =>
    board.report({ cause: 'button', switch: [true, false, false, false], changed: [0], ...fields })
  press()
  app.clock.advance(7000)
  board.report({ cause: 'button', switch: [true, true, false, false], changed: [1] })
  app.clock.advance(20_000)
  app.link.sweep()
  press({ seq: 102 })
  const found = async () => (await rowsOf(id)).map(({ switchIndex, cause }) => [switchIndex, cause?.by])
  await expect.poll(found).toEqual([
    [1, 'button'],
    [0, 'button']
  ])
})
