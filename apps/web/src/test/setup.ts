import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'

// A busy machine loads a lazy part slowly; the limit ends tests whose part never loads.
configure({ asyncUtilTimeout: 60_000 })

// A component left mounted would render again on a store change, possibly without its test's window.
afterEach(cleanup)

// Test files that run at the same time are threads of one process, so that their pages would be tabs of one browser.
const ofThisFile = crypto.randomUUID()
globalThis.BroadcastChannel = class extends BroadcastChannel {
  constructor(name: string) {
    super(`${ofThisFile} ${name}`)
  }
}
