import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApi, type TestApi } from '../../testing/test-api.ts'

let app: TestApi
beforeAll(async () => void (app = await startApi()))
afterAll(() => app.stop())

test('a board that names a pending command to another board neither ends it nor learns how long it has been pending', async () => {
  const sita = app.person()
  const lamp = await app.device(sita)
  const stranger = await app.device(app.person())
  lamp.board.isMute = true
  const command = app.call('PATCH', `/switches/by-id/${lamp.switchIds[0]}`, sita, { status: true })
  await expect.poll(() => lamp.board.commands.length).toBe(1)
  app.clock.advance(1000)
  const commandId = lamp.board.commands[0]?.id
  stranger.board.report({ cause: 'command', commandId, result: 'applied', changed: [0] })
  const rows = () => app.models.actionLogs.find({ deviceId: stranger.id }).lean()
  await expect.poll(async () => (await rows()).length).toBe(1)
  expect(await rows()).toMatchObject([{ commandId, cause: { by: 'unknown' } }])
  expect((await rows())[0]).not.toHaveProperty('tookMs')
  lamp.board.report({
    cause: 'command',
    commandId,
    result: 'applied',
    switch: [true, false, false, false],
    changed: [0]
  })
  expect((await command).statusCode).toBe(200)
})
