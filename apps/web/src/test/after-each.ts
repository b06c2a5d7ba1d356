import { cleanup } from '@testing-library/react'
import { afterEach } from 'vitest'

// A component left mounted would render again on a store change, possibly without its test's window.
afterEach(cleanup)
