import { expect, test } from 'vitest'
import { cn } from './cn.ts'

test('a size and a colour of the product’s scales are both kept', () => {
  expect(cn('text-14', 'text-ink-3')).toBe('text-14 text-ink-3')
  expect(cn('text-ink-3 text-12')).toBe('text-ink-3 text-12')
})

test('a later utility wins over an earlier one of the same kind, our own scales included', () => {
  expect(cn('text-14', 'text-16')).toBe('text-16')
  expect(cn('rounded-control p-2', 'rounded-full')).toBe('p-2 rounded-full')
  expect(cn('shadow-card', false, 'shadow-none')).toBe('shadow-none')
})
