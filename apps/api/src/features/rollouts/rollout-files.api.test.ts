import { minuteMs } from '@batti/kit/durations'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { all, idsOf, sentTo, startRollouts } from '../../testing/rollouts-by-hand.ts'

const { app, admin, image, boardsOf, runs, pass, look, start, rollout, end, prove } = await startRollouts()
afterAll(() => app.stop())

describe('a rollout', () => {
  test('pauses when its file is withdrawn, and sends to no more boards', async () => {
    const boards = await boardsOf(2)
    const { fileName } = await image()
    const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages: all, atOnce: 1 })
    expect(sentTo(boards).filter(Boolean)).toHaveLength(1)
    await app.call('PATCH', `/device-firmware-files/${fileName}`, admin, { state: 'withdrawn' })
    await prove(boards, 'any')
    await look()
    expect(await rollout(id)).toMatchObject({ state: 'paused', paused: { by: 'staff' } })
    expect(sentTo(boards).filter(Boolean)).toHaveLength(1)
    await end(id)
  })

  test('pauses when its file is withdrawn during the pass that would send it, and fails no board', async () => {
    const boards = await boardsOf(2)
    const { fileName, version } = await image()
    const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages: all, atOnce: 1 })
    const files = app.connection.model('FirmwareFile')
    const findById = files.findById.bind(files)
    const withdraw = vi.fn<() => Promise<void>>(() =>
      app.call('PATCH', `/device-firmware-files/${fileName}`, admin, { state: 'withdrawn' }).then(() => undefined)
    )
    // The pass has found the file released, and is about to read what leads to it for this board.
    const held = vi.spyOn(files, 'findById').mockImplementationOnce((...args: Parameters<typeof findById>) => {
      const query = findById(...args)
      const exec = query.exec.bind(query)
      query.exec = async () => {
        const released = await exec()
        await withdraw()
        return released
      }
      return query
    })
    await prove(boards, version)
    await look()
    held.mockRestore()
    expect(withdraw).toHaveBeenCalledOnce()
    expect(await rollout(id)).toMatchObject({ state: 'paused', counts: { done: 1, waiting: 1 } })
    expect(sentTo(boards).filter(Boolean)).toHaveLength(1)
    await end(id)
  })

  test('pauses when a version on the way is withdrawn, fails no board, and goes on when it is released again', async () => {
    const boards = await boardsOf(2)
    const [step, wanted] = [await image(), await image()]
    const set = (body: object, { fileName } = step) =>
      app.call('PATCH', `/device-firmware-files/${fileName}`, admin, body)
    await set({ from: { min: step.version } }, wanted)
    const body = { fileName: wanted.fileName, target: { deviceIds: idsOf(boards) }, stages: all, atOnce: 1 }
    const id = await start(body)
    await set({ state: 'withdrawn' })
    await prove(boards, step.version)
    expect(await rollout(id)).toMatchObject({ state: 'paused', paused: { by: 'staff' }, counts: { waiting: 2 } })
    const resume = async () => (await app.call('PATCH', `/rollouts/${id}`, admin, { state: 'running' })).statusCode
    expect(await resume()).toBe(409)
    await set({ state: 'released' })
    expect(await resume()).toBe(200)
    await look()
    expect(sentTo(boards)).toEqual([true, true])
    await end(id)
  })

  test('fails a board that no version leads to, and does not pause for it', async () => {
    const boards = await boardsOf(2)
    const { fileName, version } = await image()
    const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages: all, atOnce: 1 })
    await app.call('PATCH', `/device-firmware-files/${fileName}`, admin, { from: { min: version } })
    await prove(boards, version)
    await look()
    expect(await rollout(id)).toMatchObject({ state: 'done', counts: { done: 1, failed: 1 } })
  })

  test('does not offer a withdrawn file to boards again', async () => {
    const boards = await boardsOf(2)
    const [restarted, reconnected] = boards
    const { fileName } = await image()
    const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages: all })
    expect(sentTo(boards)).toEqual([true, true])
    await app.call('PATCH', `/device-firmware-files/${fileName}`, admin, { state: 'withdrawn' })
    app.broker.say(`d/${restarted?.id}/up/status`, { online: true, bootId: 'after-the-cut', conn: 1 })
    reconnected?.board.disconnect()
    reconnected?.board.connect()
    await pass(2000)
    await look()
    expect(boards.map(({ board }) => board.updates.length)).toEqual([1, 1])
    const error = { code: 'power-lost', detail: 'This image is withdrawn.' }
    expect((await app.call('GET', `/rollouts/${id}/targets?sort=phase`, admin)).data.targets).toMatchObject([
      { deviceId: restarted?.id, phase: 'failed', error },
      { deviceId: reconnected?.id, phase: 'sent', error: null }
    ])
    await end(id)
  })

  test('of one board ends when its file is withdrawn before it is sent', async () => {
    const boards = await boardsOf(1)
    const { fileName } = await image()
    const set = (state: string) => app.call('PATCH', `/device-firmware-files/${fileName}`, admin, { state })
    const ask = async () =>
      (await app.call('POST', '/update-device-firmware', admin, { deviceId: boards[0]?.id, fileName })).statusCode
    expect(await ask()).toBe(200)
    await set('withdrawn')
    await look()
    await set('released')
    expect(await ask()).toBe(200)
    await look()
    expect(sentTo(boards)).toEqual([true])
  })

  test('that follows the filter pauses when its file is withdrawn, before boards that come later are sent it', async () => {
    const owner = app.person()
    const boards = await boardsOf(1, owner)
    const { fileName, version } = await image()
    const target = { filter: { userId: owner.userId } }
    const id = await start({ fileName, target, stages: all, follow: true })
    await prove(boards, version)
    expect(await rollout(id)).toMatchObject({ state: 'running', counts: { done: 1 } })
    await app.call('PATCH', `/device-firmware-files/${fileName}`, admin, { state: 'withdrawn' })
    await look()
    expect(await rollout(id)).toMatchObject({ state: 'paused', paused: { by: 'staff' } })
    await end(id)
  })

  test('that asks is not continued with a file that was withdrawn', async () => {
    const boards = await boardsOf(2)
    const { fileName, version } = await image()
    const stages = [{ devices: 1, holdMinutes: 0, then: 'ask' }, ...all]
    const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages })
    await prove(boards, version)
    expect((await rollout(id)).state).toBe('asking')
    const resume = async () => (await app.call('PATCH', `/rollouts/${id}`, admin, { state: 'running' })).statusCode
    for (const [state, expected] of [
      ['withdrawn', 409],
      ['released', 200]
    ] as const) {
      await app.call('PATCH', `/device-firmware-files/${fileName}`, admin, { state })
      expect(await resume()).toBe(expected)
    }
    await end(id)
  })

  test('that is done does not send another file under the name of its own, which was deleted', async () => {
    const boards = await boardsOf(1)
    const { fileName, version } = await image()
    const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages: all })
    const [lamp] = boards
    const failed = { id: lamp?.board.updates[0]?.id, phase: 'failed', percent: 0 }
    app.broker.say(`d/${lamp?.id}/up/firmware-progress`, failed)
    await app.settled()
    await pass(10_000)
    await look()
    expect(await rollout(id)).toMatchObject({ state: 'done', counts: { failed: 1 } })
    const retry = async () => (await app.call('POST', `/rollouts/${id}/retry`, admin, {})).statusCode
    await app.call('DELETE', `/device-firmware-files/${fileName}`, admin)
    expect(await retry()).toBe(409)
    expect((await image(version)).fileName).toBe(fileName)
    expect(await retry()).toBe(409)
    expect((await app.call('PATCH', `/rollouts/${id}`, admin, { state: 'running' })).statusCode).toBe(409)
    expect((await rollout(id)).counts).toEqual({ failed: 1 })
  })

  test('keeps the files that it sends as intermediate versions', async () => {
    const boards = await boardsOf(2)
    const [first, second, unneeded, wanted] = [await image(), await image(), await image(), await image()]
    for (const [file, min] of [
      [second, first.version],
      [unneeded, wanted.version],
      [wanted, second.version]
    ] as const)
      await app.call('PATCH', `/device-firmware-files/${file.fileName}`, admin, { from: { min } })
    const body = { fileName: wanted.fileName, target: { deviceIds: idsOf(boards) }, stages: all, atOnce: 1 }
    const id = await start(body)
    const remove = async ({ fileName }: { fileName: string }): Promise<number> =>
      (await app.call('DELETE', `/device-firmware-files/${fileName}`, admin)).statusCode
    for (const file of [first, second, wanted]) expect(await remove(file)).toBe(409)
    expect(await remove(unneeded)).toBe(200)
    // A withdrawn file cannot be sent any more, but one board has it in progress.
    await app.call('PATCH', `/device-firmware-files/${first.fileName}`, admin, { state: 'withdrawn' })
    expect([await remove(first), await remove(second)]).toEqual([409, 200])
    await end(id)
  })

  test('releases its file when its last board is being proved, and is done, for each board too, after that', async () => {
    const boards = await boardsOf(2)
    const { fileName, version } = await image()
    const remove = async () => (await app.call('DELETE', `/device-firmware-files/${fileName}`, admin)).statusCode
    const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages: all, atOnce: 1 })
    for (const _each of boards) {
      expect(await remove()).toBe(409)
      await runs(
        boards.filter(({ board }) => board.updates.length > 0),
        version
      )
      await look()
    }
    const happened = async () => {
      await app.fleet.sweep()
      const { data } = await app.call('GET', `/devices/${boards[0]?.id}/events?kind=firmware`, admin)
      return (data.events as { detail: string }[]).map(({ detail }) => detail)
    }
    await pass(10_000)
    await look()
    expect((await rollout(id)).counts).toEqual({ proving: 2 })
    expect(await happened()).toEqual([])
    expect(await remove()).toBe(200)
    await look()
    await pass(3 * minuteMs)
    await look()
    expect(await rollout(id)).toMatchObject({ state: 'done', counts: { done: 2 } })
    await expect.poll(happened).toEqual(['done'])
  })
})
