import { setFlagsFromString } from 'node:v8'

/** V8 flags, the second half with their default values: code that is not running counts as garbage. */
const dropsCode = ['--flush-baseline-code', '--bytecode-old-age=1']
const asUsual = ['--no-flush-baseline-code', '--bytecode-old-age=6']

/** Collects all garbage, and returns V8's free pages to the system. Needs Node's option `--expose-gc`, otherwise does nothing. */
export function collectGarbage(): void {
  // An ordinary collection keeps free pages for the next objects.
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

/** Collects compiled code too. V8 compiles what is called again. */
export function collectGarbageAndCode(): void {
  for (const flag of dropsCode) setFlagsFromString(flag)
  collectGarbage()
  for (const flag of asUsual) setFlagsFromString(flag)
}
