import { expect, it } from 'vitest'
import { htmlOf } from './markdown.ts'

it.each([
  ['# Title', '<h1>Title</h1>'],
  ['One\ntwo **three**', '<p>One two <strong>three</strong></p>'],
  ['- a\n- b', '<ul><li>a</li><li>b</li></ul>'],
  ['1. a\n2. b', '<ol><li>a</li><li>b</li></ol>'],
  [
    '| A | B |\n|---|---|\n| 1 | 2 |',
    '<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>'
  ],
  ['a < b & c', '<p>a &lt; b &amp; c</p>']
])('%j becomes the right HTML', (markdown, html) => {
  expect(htmlOf(markdown)).toBe(html)
})

it('separates blocks by empty lines', () => {
  expect(htmlOf('# A\n\ntext\n\n\n- b')).toBe('<h1>A</h1>\n<p>text</p>\n<ul><li>b</li></ul>')
})
