import { staffPages } from '@batti/contracts'
import { expect, test } from 'vitest'
import { messages } from '#web/i18n/en/shell.ts'
import { sessionUser } from '#web/lib/session/session-user.ts'
import { navLinksOf } from './nav-links.ts'
import { pageLabels } from './page-labels.ts'
import { staffGroupsOf } from './staff-nav.ts'

const somebody = (role: string, permissions: readonly string[] = []) =>
  sessionUser.parse({ _id: 'a', role, permissions })
const pagesInMenu = (role: string, permissions: readonly string[] = []) =>
  staffGroupsOf(somebody(role, permissions)).flatMap(({ links }) => links.map(({ page }) => page))

test("the server's search and the menus use the same names of pages", () => {
  for (const { page, title } of staffPages) expect(messages[pageLabels[page]]).toBe(title)
})

test("a monitor's menu has the pages of the permissions, and no others", () => {
  expect(pagesInMenu('monitor')).toEqual(['dashboard', 'home'])
  expect(pagesInMenu('monitor', ['view switches', 'control switches'])).toEqual([
    'dashboard',
    'home',
    'switches',
    'favorite-switches'
  ])
  const seen = pagesInMenu('monitor', ['view devices', 'view users'])
  for (const page of ['device-types', 'monitors', 'audit-logs', 'unauthorized-logs']) expect(seen).not.toContain(page)
})

test('every entry of the specified menus has its page: 34 over the three roles', () => {
  const everything = ['view users', 'view switches', 'view devices', 'view schedules', 'view logs', 'control switches']
  const counts = ['user', 'admin', 'monitor'].map((role) => navLinksOf(somebody(role, everything)).length)
  expect(counts).toEqual([9, 14, 11])
})

test('the dropdown of a person at home has the pages of a home', () => {
  expect(navLinksOf(somebody('user')).map(({ path }) => path)).toEqual([
    '/user/profile',
    '/user/home',
    '/user/dashboard',
    '/user/devices',
    '/user/rooms',
    '/user/switches',
    '/user/favorite-switches',
    '/user/schedules',
    '/user/logs'
  ])
})
