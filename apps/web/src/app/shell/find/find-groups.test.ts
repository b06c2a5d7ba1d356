import type { SearchAnswer } from '@batti/contracts'
import { expect, test } from 'vitest'
import { findGroups, markedParts } from './find-groups.ts'

const board: SearchAnswer['boards'][number] = {
  _id: 'b1',
  deviceMac: '34:98:7A:11:02:9B',
  deviceName: 'Wall 4',
  setName: 'Tea shop counter',
  isOnline: true,
  owner: { _id: 'u1', name: 'Bishnu' }
}
const person: SearchAnswer['users'][number] = {
  _id: 'u2',
  name: 'Tea Ram',
  email: 'tea@example.com',
  phone: '+9779851077620',
  role: 'user'
}
const pages = [
  { page: 'devices', path: '/admin/devices', label: 'उपकरण' },
  { page: 'device-firmware-files', path: '/admin/device-firmware-files', label: 'फर्मवेयर फाइल' }
] as const
const groups = (changes: Partial<Parameters<typeof findGroups>[0]>) =>
  findGroups({
    typed: 'tea',
    found: { boards: [], users: [] },
    area: '/admin',
    mayOpen: () => true,
    mayToggle: true,
    pages,
    say: (id, values) => `${id}${Object.values(values ?? {}).join()}`,
    ...changes
  })
const shown = (changes: Partial<Parameters<typeof findGroups>[0]>) =>
  groups(changes).map(({ title, items }) => [title, ...items.map(({ label, does }) => [label, Object.values(does)[0]])])

test('boards and people, and the actions for the first hit', () => {
  expect(shown({ found: { boards: [board], users: [person] } })).toEqual([
    ['find.boards', ['Tea shop counter', '/admin/devices/b1']],
    ['find.people', ['Tea Ram', '/admin/users/u2']],
    [
      'find.forTea shop counter',
      ['find.toggle', 'b1'],
      ['find.update', 'b1'],
      ['find.copyMac', board.deviceMac],
      ['find.ownerBishnu', '/admin/users/u1']
    ]
  ])
  expect(shown({ found: { boards: [], users: [person] } })[1]).toEqual([
    'find.forTea Ram',
    ['find.theirBoards', '/admin/devices?userId=u2'],
    ['find.call+9779851077620', 'tel:+9779851077620'],
    ['find.copyPhone', '+9779851077620'],
    ['find.copyMail', 'tea@example.com']
  ])
})

test('a monitor is offered what the permissions allow', () => {
  const may = { area: '/monitor', mayToggle: false, mayOpen: (path: string) => path === '/monitor/devices' }
  expect(shown({ ...may, found: { boards: [board], users: [] } })).toEqual([
    ['find.boards', ['Tea shop counter', '/monitor/devices?search=34%3A98%3A7A%3A11%3A02%3A9B']],
    ['find.forTea shop counter', ['find.copyMac', board.deviceMac]]
  ])
})

test('pages are found by their name in either language; all of them before anything is typed', () => {
  expect(shown({ typed: 'firmware files' })).toEqual([['find.pages', ['फर्मवेयर फाइल', '/admin/device-firmware-files']]])
  expect(shown({ typed: 'उपक' })).toEqual([['find.pages', ['उपकरण', '/admin/devices']]])
  expect(shown({ typed: '', found: null })[0]).toHaveLength(3)
})

test.each([
  ['Tea shop', 'tea', ['', 'Tea', ' shop']],
  ['34:98:7A:11:02:9B', '7a1102', ['34:98:', '7A:11:02', ':9B']],
  ['+977 98510 44217', '985-104', ['+977 ', '98510 4', '4217']],
  ['Gate', 'tea', ['Gate', '', '']],
  ['Gate', '', ['Gate', '', '']]
])('in %s, %s is marked', (text, typed, parts) => {
  expect(markedParts(text, typed)).toEqual(parts)
})
