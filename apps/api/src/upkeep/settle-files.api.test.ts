import { existsSync, readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { testFolder } from '@batti/kit/node/testing'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { bearer, signUp, signUpAdmin } from '../testing/people.ts'
import { startApi } from '../testing/test-api.ts'
import { isFileNamed } from './missing-files.ts'

const picture = () =>
  sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .png()
    .toBuffer()

test('a start removes pictures and images that were stored without a record, and no others', async () => {
  const data = testFolder('settle')
  const before = await startApi({ env: { DATA_DIR: data } })
  const [person, admin] = [await signUp(before), await signUpAdmin(before)]
  await before.http
    .patch('/api/v1/user/update-account')
    .set(...bearer(person))
    .attach('profileImage', await picture(), 'me.png')
    .expect(200)
  await before.http
    .post('/api/v1/device-types')
    .set(...bearer(admin))
    .field({ deviceCode: 'BX', deviceName: 'X', hwModel: 'batti-x', numberOfSwitches: 1 })
    .attach('deviceImage', await picture(), 'board.png')
    .expect(201)
  await before.http
    .post('/api/v1/device-firmware-files')
    .set(...bearer(admin))
    .attach('firmware', Buffer.from('an image'), 'wall-1.0.0.bin')
    .expect(201)
  const list = () => readdirSync(join(data, 'files'), { recursive: true, encoding: 'utf8' }).toSorted()
  const named = list()
  expect(named).toHaveLength(5)

  // As if the process had been killed before it wrote their records.
  const killed = ['images/0123456789abcdef.webp', 'firmware/0123456789abcdef01234567.bin']
  for (const key of killed) await before.platform.files.put(key, await picture(), 'image/webp')
  const notes = join(data, 'notes')
  const hourAgo = new Date(Date.now() - 3_600_000)
  for (const name of readdirSync(notes)) utimesSync(join(notes, name), hourAgo, hourAgo)
  const after = await startApi({ uri: before.uri, env: { DATA_DIR: data } })
  await expect.poll(() => killed.filter((key) => existsSync(join(data, 'files', key)))).toEqual([])
  await expect.poll(() => readdirSync(notes)).toEqual([])
  expect(list()).toEqual(named)
  await after.stop()
  await before.stop()
})

test('no record names a key that is none of an upload', async () => {
  const app = await startApi()
  const database = app.connection.db
  expect(database === undefined || (await isFileNamed(database, 'firmware/odd.bin'))).toBe(false)
  await app.stop()
})
