import { sqliteFailure } from '@batti/embedded-mongo/storage/file/failure'
import { expect, it } from 'vitest'
import { diskRefusal } from './disk-refusal.ts'
import { LaunchError } from '../launch-error.ts'

const refusal = (code: string, path?: string): Error =>
  Object.assign(new Error(`${code}: open`), { code, ...(path === undefined ? {} : { path }) })

it.each([
  ['ENOSPC', 'The disk is full: nothing more can be kept in /data. Make room, and try again.'],
  ['EDQUOT', 'The disk is full: nothing more can be kept in /data. Make room, and try again.'],
  ['EROFS', '/data/home.json is on a disk that can only be read. Mount it for writing, and try again.']
])('says what to do about %s', (code, sentence) => {
  const said = diskRefusal(refusal(code, '/data/home.json'), '/data')
  expect(said).toBeInstanceOf(LaunchError)
  expect(said?.message).toBe(sentence)
})

it('names the folder also where the database is the one that finds the disk full', () => {
  const full = sqliteFailure(Object.assign(new Error('database or disk is full'), { errcode: 13 }), '/data/db')
  expect(diskRefusal(full, '/backups')?.message).toBe(
    'The disk is full: nothing more can be kept in /backups. Make room, and try again.'
  )
  const failing = sqliteFailure(Object.assign(new Error('disk I/O error'), { errcode: 10 }), '/data/db')
  expect(diskRefusal(failing, '/backups')).toBeNull()
})

it.runIf(process.platform !== 'win32').each(['EACCES', 'EPERM'])('names the file of another user (%s)', (code) => {
  expect(diskRefusal(refusal(code, '/data/home.json'), '/data')?.message).toMatch(
    /^The user who runs this may not use \/data\/home\.json\. .*chown -R USER FOLDER\.$/
  )
})

it('ignores all other errors', () => {
  expect(diskRefusal(refusal('ENOENT'), '/data')).toBeNull()
  expect(diskRefusal('ENOSPC', '/data')).toBeNull()
})
