import { expect, test } from 'vitest'
import { linkFaults } from './links.ts'

const pages: Record<string, string> = {
  'docs/protocol.md': '# Boards\n\n## Getting in\n',
  'docs/adr/0001-x.md': '# 1. X\n',
  'README.md': '# Batti\n'
}
const sources = {
  has: (path: string) => path in pages || path === 'docs',
  hasSome: (path: string) => ['compose.ts', 'boards/'].includes(path),
  read: (path: string) => pages[path] ?? ''
}
const faults = (path: string, text: string): string[] => linkFaults(path, text, sources)

test('links of a page must lead to existing files and headings', () => {
  expect(
    faults(
      'docs/rules.md',
      '[a](protocol.md) [b](protocol.md#getting-in) [c](../README.md) [d](adr/0001-x.md) [e](https://example.com) [f](../docs)'
    )
  ).toEqual([])
  expect(faults('docs/protocol.md', '[here](#getting-in)')).toEqual([])
  expect(faults('docs/rules.md', '[a](gone.md), [b](protocol.md#gone)')).toEqual([
    'leads nowhere: gone.md',
    'has no such heading: protocol.md#gone'
  ])
})

test('code in a page is no link', () => {
  expect(faults('README.md', '`[a](gone.md)`\n```sh\n[a](gone.md)\n```')).toEqual([])
})

test('files and folders of the code that a page names must exist; decisions of the past may name what was there', () => {
  const text = '`compose.ts`, `boards/`, `gone.ts`, `gone/`, `.service.ts`, `npm run x`, `a/b`\n```text\ngone.ts\n```'
  expect(faults('docs/rules.md', text)).toEqual(['names what is not here: gone.ts', 'names what is not here: gone/'])
  expect(faults('docs/adr/0001-x.md', text)).toEqual([])
})

test('files in comments must exist', () => {
  expect(faults('a.ts', '/** The limits (docs/protocol.md, "Getting in"); see docs/adr/0001-x.md. */')).toEqual([])
  expect(faults('a.ts', '// docs/gone.md\n// docs/protocol.md, "Gone"')).toEqual([
    'refers to what is not here: docs/gone.md',
    'refers to a heading that is not there: docs/protocol.md, "Gone"'
  ])
})

test.each([
  '// Source: wire §3.',
  '/** operations §9. */',
  '// threats-and-faults row 24',
  '// fault F22',
  '// see `wire.md`'
])('a document outside the repository must not be cited: %s', (comment) =>
  expect(faults('a.ts', comment)).toHaveLength(1)
)

test.each(['// MQTT 3.1.1 §3.9.3', '// RFC 5545', '// on the wire 4 bytes', '// the accounts of a home'])(
  'public documents and plain words may be cited: %s',
  (comment) => expect(faults('a.ts', comment)).toEqual([])
)
