import { setFlagsFromString } from 'node:v8'
import { smallHeap } from './heap-tuner.ts'
import type * as HomeProgram from './home.ts'
import { loadProgram } from './load-program.ts'

// V8 accepts kept code only under the flags that it was kept under.
for (const flag of smallHeap) setFlagsFromString(flag)
const { exports, keepCode } = await loadProgram<typeof HomeProgram>(new URL('./home.ts', import.meta.url))
await exports.runHome({ keepCode })
