import { cleanup } from '@testing-library/react'
import { afterEach } from 'vitest'

// What stays mounted renders again when its store changes, by then perhaps without the window that its file had.
afterEach(cleanup)
