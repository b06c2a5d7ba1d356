import { expect, test } from 'vitest'
import { whenHidden } from './when-hidden.ts'

test('what is kept is kept when the page is hidden or ended, until that is over', () => {
  let times = 0
  const stop = whenHidden(() => (times += 1))
  document.dispatchEvent(new Event('visibilitychange'))
  window.dispatchEvent(new Event('pagehide'))
  expect(times).toBe(2)
  stop()
  document.dispatchEvent(new Event('visibilitychange'))
  window.dispatchEvent(new Event('pagehide'))
  expect(times).toBe(2)
})
