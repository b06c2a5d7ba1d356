import { expect, test } from 'vitest'
import { runToEnd } from './testing.ts'

test.runIf(process.platform !== 'win32')('the number of files that may be opened is that of the shell', () => {
  const print = `import('${import.meta.resolve('./open-files.ts')}').then((it) => console.log(it.openFilesMax()))`
  const limited = 'ulimit -n 150; exec "$0" --eval "$1"'
  expect(runToEnd('sh', ['-c', limited, process.execPath, print]).stdout).toBe('150\n')
})
