// @vitest-environment node
import { expect, test } from 'vitest'
import type { Role } from '@batti/contracts'
import { sita } from '#web/test/fixtures.ts'
import { mayControlSwitches, mayEditSwitches, maySeeFleet, maySeeSwitches } from './session-user.ts'

const rights = { maySeeFleet, maySeeSwitches, mayControlSwitches, mayEditSwitches }
const rightsOf = (role: Role, ...permissions: string[]) =>
  Object.entries(rights).flatMap(([name, may]) => (may({ ...sita, role, permissions }) ? [name] : []))

test('the page offers what the server allows: of a monitor, what its permissions name', () => {
  expect(rightsOf('admin')).toEqual(Object.keys(rights))
  expect(rightsOf('user')).toEqual(['mayControlSwitches', 'mayEditSwitches'])
  // A role counts more than what is stored beside it.
  expect(rightsOf('user', 'view devices', 'view switches')).toEqual(['mayControlSwitches', 'mayEditSwitches'])
  expect(rightsOf('monitor')).toEqual([])
  expect(rightsOf('monitor', 'view devices')).toEqual(['maySeeFleet'])
  expect(rightsOf('monitor', 'view switches')).toEqual(['maySeeSwitches'])
  expect(rightsOf('monitor', 'control switches')).toEqual(['mayControlSwitches'])
})
