import { expect, test } from 'vitest'
import { faultPage } from './fault-page.ts'

test.each([
  ['an address that does not exist', 'NOT_FOUND', '/'],
  ['a link that has expired', 'FORBIDDEN', '/'],
  ['a block, which can end', 'IP_BLOCKED', ''],
  ['too many requests', 'TOO_MANY_REQUESTS', ''],
  ['a server that is not ready', 'UNAVAILABLE', '']
] as const)('the link of a page about %s is one that helps', (_what, code, href) => {
  expect(/<a href="([^"]*)">/.exec(faultPage(code, 'No.', 'id'))?.[1]).toBe(href)
})
