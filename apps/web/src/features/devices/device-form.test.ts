import { expect, test } from 'vitest'
import { boardRecord } from '#web/test/fixtures.ts'
import { canSave, changesOf, formOf } from './device-form.ts'

const before = formOf(
  boardRecord({ wifiPassword: 'at home only', setRoom: { _id: 'r1', roomName: 'Kitchen' }, activeColor: 'green' })
)

test('only what differs is sent, trimmed, so that the board does not reconnect to the same Wi-Fi', () => {
  expect(changesOf(before, before, null)).toEqual({})
  expect(changesOf(before, { ...before, name: ' Hall wall ', colour: ' #ffb020 ' }, null)).toEqual({
    setName: 'Hall wall',
    activeColor: '#ffb020'
  })
  expect(changesOf(before, { ...before, wifiName: 'Himal-5G', wifiPassword: ' new ' }, null)).toEqual({
    wifiSSID: 'Himal-5G',
    wifiPassword: 'new'
  })
})

test('what a try without an answer has sent is sent again, changed or not', () => {
  expect(changesOf(before, before, null, new Set(['setName', 'wifiSSID']))).toEqual({
    setName: before.name,
    wifiSSID: before.wifiName
  })
})

test('a form with blanks around its texts is unchanged once it is saved', () => {
  const saved = { ...before, name: ' Hall ', colour: 'red ', wifiName: ' Himal-5G', wifiPassword: 'new ' }
  expect(changesOf(saved, saved, null)).toEqual({})
})

test('another room is sent with its name, no room as null', () => {
  expect(changesOf(before, { ...before, roomId: 'r2' }, 'Hall')).toEqual({ setRoom: 'r2', setRoomName: 'Hall' })
  expect(changesOf(before, { ...before, roomId: '' }, null)).toEqual({ setRoom: null, setRoomName: null })
})

test('a name that is blank after trimming cannot be saved', () => {
  expect(canSave({ ...before, name: '   ' })).toBe(false)
  expect(canSave(before)).toBe(true)
})
