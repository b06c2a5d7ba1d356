import { expect, test } from 'vitest'
import { changeSentence, readChangeSentence } from './outlet-sentences.ts'
import { outletOf, type Outlet } from './outlets.ts'

test.each<[sentence: string, wasOn: boolean, outlet: Outlet, read: object]>([
  ['Kitchen lamp turned ON', false, outletOf('switch', true, 0), { name: 'Kitchen lamp', on: true }],
  ['Kettle turned OFF', true, outletOf('socket', false, 0), { name: 'Kettle', on: false }],
  // A command that changes nothing still counts as carried out.
  ['Kettle turned OFF', false, outletOf('socket', false, 0), { name: 'Kettle', on: false }],
  ['Ceiling fan turned ON', false, outletOf('fan', true, 140), { name: 'Ceiling fan', on: true }],
  [
    'Bedside lamp set to 40 %',
    true,
    outletOf('dimmer', true, 102),
    { name: 'Bedside lamp', kind: 'dimmer', value: 40 }
  ],
  ['Ceiling fan speed set to 140', true, outletOf('fan', true, 140), { name: 'Ceiling fan', kind: 'fan', value: 140 }]
])('%s', (sentence, wasOn, outlet, read) => {
  const { name } = read as { name: string }
  expect(changeSentence(name, wasOn, outlet)).toBe(sentence)
  expect(readChangeSentence(sentence)).toEqual(read)
})

test('another sentence is not parsed', () => {
  expect(readChangeSentence('Kettle was not turned ON at 06:00: Kitchen wall was offline')).toBeNull()
})
