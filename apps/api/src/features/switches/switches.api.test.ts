import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Actor } from '../../platform/people/actor.ts'
import { startApi, type AddedDevice, type TestApi } from '../../testing/test-api.ts'

let app: TestApi
let sita: Actor
let [gate, kitchen]: AddedDevice[] = []
const one = (device: AddedDevice | undefined): string => device?.switchIds[0] ?? ''
beforeAll(async () => {
  app = await startApi()
  sita = app.person()
  gate = await app.device(sita, { outlets: 1 })
  kitchen = await app.device(sita, { outlets: 2 })
  await app.device(app.person(), { outlets: 1 })
})
afterAll(() => app.stop())

test('a monitor who may switch can neither rename nor add favourites', async () => {
  const monitor = app.person('monitor', ['control switches'])
  const change = (fields: object) => app.call('PATCH', `/switches/by-id/${one(gate)}`, monitor, fields)
  for (const fields of [{ switchName: 'Theirs' }, { isFavorite: true }, { status: true, switchName: 'Theirs' }])
    expect(await change(fields)).toMatchObject({ statusCode: 403 })
  expect(gate?.board.commands, 'what is refused reaches no board').toEqual([])
  expect(await change({ status: true })).toMatchObject({ statusCode: 200 })
  expect(await app.models.switches.findById(one(gate)).lean()).toMatchObject({
    switchName: 'Switch 1',
    isFavorite: false
  })
})

test("switches are listed of one board or of all, of one's own home only", async () => {
  const of = async (query: string): Promise<string[]> =>
    (await app.call('GET', `/switches${query}`, sita)).data.switches.map(({ _id }: { _id: string }) => _id)
  expect(new Set(await of(''))).toEqual(new Set([...(gate?.switchIds ?? []), ...(kitchen?.switchIds ?? [])]))
  expect(new Set(await of(`?deviceId=${kitchen?.id}`))).toEqual(new Set(kitchen?.switchIds))
  const theirs = await app.device(app.person(), { outlets: 1 })
  expect(await of(`?deviceId=${theirs.id}`)).toEqual([])
})

test('a board that finds a command expired, because our clock was set back, gets it again and switches', async () => {
  const device = await app.device(sita, { outlets: 1 })
  const { board } = device
  board.isMute = true
  const call = app.call('PATCH', `/switches/by-id/${one(device)}`, sita, { status: true })
  await expect.poll(() => board.commands.length).toBe(1)
  const commandId = board.commands[0]?.id ?? ''
  board.isMute = false
  board.report({ cause: 'command', commandId, result: 'expired', changed: [] })
  expect(await call).toMatchObject({ statusCode: 200 })
  expect(board.commands.map(({ id }) => id)).toEqual([commandId, commandId])
})
