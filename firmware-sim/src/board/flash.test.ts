import { testFolder } from '@batti/kit/node/testing'
import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { factoryRecord } from './flash-record.ts'
import { createFileFlash } from './flash.ts'

const mac = '34:98:7A:0C:51:E2'
let folder = ''
beforeEach(() => {
  folder = testFolder('flash')
})

const record = (serverOffsetMs: number) => ({ ...factoryRecord(mac), serverOffsetMs })
const path = (): string => join(folder, '34987A0C51E2.flash')

describe('a flash file', () => {
  test('returns what was saved, and only its owner can read it', () => {
    createFileFlash(folder, mac).save(record(5), true)
    expect(createFileFlash(folder, mac).load()).toEqual({ record: record(5), damage: null })
    expect(statSync(path()).mode & 0o077).toBe(0)
  })

  test('that does not exist is a board in factory state, without a warning', () => {
    expect(createFileFlash(folder, mac).load()).toEqual({ record: factoryRecord(mac), damage: null })
  })

  test('truncated or changed at any byte is a board in factory state, with a warning', () => {
    createFileFlash(folder, mac).save(record(5), true)
    const whole = readFileSync(path())
    for (let at = 0; at < whole.length; at += 1) {
      const changed = Buffer.from(whole)
      changed.writeUInt8(whole.readUInt8(at) ^ 1, at)
      writeFileSync(path(), changed)
      expect(createFileFlash(folder, mac).load().damage).toMatch(/back in its factory state/)
      writeFileSync(path(), whole)
      truncateSync(path(), at)
      expect(createFileFlash(folder, mac).load()).toMatchObject({
        record: factoryRecord(mac),
        damage: expect.stringContaining('checksum') as string
      })
    }
  })

  test('of another board is refused', () => {
    createFileFlash(folder, mac).save({ ...record(5), mac: '00:00:00:00:00:01' }, true)
    expect(createFileFlash(folder, mac).load().damage).toContain('another board')
  })

  test('keeps the old content when the power fails while it is written', () => {
    createFileFlash(folder, mac).save(record(1), true)
    for (const half of ['', 'batti-flash 1 ', 'batti-flash 1 abc\n{"mac"']) {
      writeFileSync(`${path()}.new`, half)
      expect(createFileFlash(folder, mac).load()).toEqual({ record: record(1), damage: null })
    }
    createFileFlash(folder, mac).save(record(2), true)
    expect(createFileFlash(folder, mac).load().record.serverOffsetMs).toBe(2)
  })

  test('is removed completely when it is erased', () => {
    const flash = createFileFlash(folder, mac)
    flash.save(record(1), true)
    flash.images.append('a', Buffer.from('image'))
    flash.images.install('a')
    flash.images.append('b', Buffer.from('draft'))
    flash.erase()
    expect(readdirSync(folder)).toEqual([])
  })
})
