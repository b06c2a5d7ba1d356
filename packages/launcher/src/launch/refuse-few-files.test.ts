import { expect, test } from 'vitest'
import { LaunchError } from '../launch-error.ts'
import { refuseFewFiles } from './refuse-few-files.ts'

test('a shell in which programs may open too few files is told how to raise the limit', () => {
  expect(() => refuseFewFiles(255)).toThrow(LaunchError)
  expect(() => refuseFewFiles(255)).toThrow(/only 255 files here.* 256\. Type ulimit -n 1024/)
  for (const files of [256, undefined]) expect(() => refuseFewFiles(files)).not.toThrow()
})
