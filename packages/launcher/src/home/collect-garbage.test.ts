import { runToEnd } from '@batti/kit/node/testing'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Returns how many bytes of V8 code a thousand functions that have run once take after the given expression. */
function codeLeftBy(collect: string, before = ''): number {
  const module = JSON.stringify(join(import.meta.dirname, 'collect-garbage.ts'))
  const script = `const { collectGarbage, collectGarbageAndCode } = await import(${module})
    const { getHeapCodeStatistics } = await import('node:v8')
    const codeBytes = () => getHeapCodeStatistics().bytecode_and_metadata_size + getHeapCodeStatistics().code_and_metadata_size
    ${before}
    const without = codeBytes()
    const sum = (n) => Array.from({ length: 50 }, (_, at) => 'n = n * ' + at + ' + ' + n).join(';')
    const made = Array.from({ length: 1000 }, (_, n) => new Function('n', sum(n)))
    for (const one of made) one(1)
    ${collect}
    console.log(codeBytes() - without, made.length)`
  const options = ['--expose-gc', '--always-sparkplug', '--input-type=module', '-e', script]
  const { stdout, stderr } = runToEnd(process.execPath, options)
  expect(stderr).toBe('')
  return Number(stdout.split(' ')[0])
}

test('code is dropped once, and kept by later collections', () => {
  const kept = codeLeftBy('collectGarbage()')
  expect(codeLeftBy('collectGarbageAndCode()')).toBeLessThan(kept / 4)
  expect(codeLeftBy('collectGarbage()', 'collectGarbageAndCode()')).toBeGreaterThan(kept / 2)
})
