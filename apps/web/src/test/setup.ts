import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'

// A busy machine loads a lazy part slowly; the limit ends tests whose part never loads.
configure({ asyncUtilTimeout: 60_000 })

// A component left mounted would render again on a store change, possibly without its test's window.
afterEach(cleanup)

// Test files share a process, in which what one of them left behind would be another tab of the same browser.
const ofThisFile = crypto.randomUUID()
globalThis.BroadcastChannel = class extends BroadcastChannel {
  constructor(name: string) {
    super(`${ofThisFile} ${name}`)
  }
}

// jsdom draws nothing, and so has nothing to scroll, and no screen. Some tests run without it.
if ('Element' in globalThis) {
  Element.prototype.scrollIntoView = () => {}
  const noScreen = { matches: false, addEventListener: () => {}, removeEventListener: () => {} }
  window.matchMedia = () => noScreen as unknown as MediaQueryList
}
