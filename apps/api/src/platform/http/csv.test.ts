import { expect, test } from 'vitest'
import { csvCell, csvLine } from './csv.ts'

test.each([
  ['plain', 'plain'],
  ['a "b", c', '"a ""b"", c"'],
  ['two\nlines', '"two\nlines"'],
  ['=1+1', "'=1+1"],
  ['+9779812345678', "'+9779812345678"],
  [-5, "'-5"],
  ['@here', "'@here"],
  ['=a,b', '"\'=a,b"'],
  [null, ''],
  [undefined, ''],
  [true, 'true'],
  [{ _id: 'x', name: 'Sita' }, '"{""_id"":""x"",""name"":""Sita""}"']
])('%j is written as %s', (value, cell) => {
  expect(csvCell(value)).toBe(cell)
})

test('a line ends as RFC 4180 says', () => {
  expect(csvLine(['a', 1])).toBe('a,1\r\n')
})
