import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { screens } from './screens.ts'

test('search engines are asked to skip every page that needs a login, and no public one but the log-in pages', () => {
  const lines = readFileSync(join(import.meta.dirname, '../../../public/robots.txt'), 'utf8').split('\n')
  const skipped = lines.flatMap((line) => (line.startsWith('Disallow: ') ? [line.slice('Disallow: '.length)] : []))
  const isSkipped = (path: string) => skipped.some((start) => path.startsWith(start))
  expect(screens.filter(({ path, roles }) => roles !== 'public' && !isSkipped(path))).toEqual([])
  const hidden = screens.filter(({ path, roles }) => roles === 'public' && isSkipped(path)).map(({ path }) => path)
  expect(hidden.filter((path) => !path.startsWith('/user/'))).toEqual([])
})
