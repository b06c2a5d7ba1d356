import { expect, test } from 'vitest'

const sources = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.*'], {
  query: '?raw',
  import: 'default',
  eager: true
})

test('no class ends its selector in any element below a :has(): each menu that opens would restyle the whole page', () => {
  const costly = Object.entries(sources).filter(([, text]) => /\b(?:group|in)-has-\[/.test(text))
  expect(costly.map(([path]) => path)).toEqual([])
})
