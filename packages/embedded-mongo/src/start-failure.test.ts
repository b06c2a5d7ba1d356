import { expect, test } from 'vitest'
import { startFailure } from './start-failure.ts'

test.each([
  ['EACCES', 'No permission: open /data'],
  ['EPERM', 'No permission: open /data'],
  ['EADDRINUSE', 'The address is already in use by another program: open /data'],
  ['ENOENT', 'open /data']
])('a start that fails with %s says in a sentence: %s', (code, sentence) => {
  expect(startFailure(Object.assign(new Error('open /data'), { code }))).toBe(sentence)
})
