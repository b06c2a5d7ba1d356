import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { lockGaps, type Lock } from './lock-gaps.ts'
import { rootDir } from './run-command.ts'

// npm wrote this file, so its format is reliable.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a parsing edge
const lock = JSON.parse(await readFile(join(rootDir, 'package-lock.json'), 'utf8')) as Lock
const gaps = lockGaps(lock)
for (const gap of gaps) console.error(gap)
if (gaps.length > 0) process.exitCode = 1
else console.log('The lock file is complete for every platform.')
