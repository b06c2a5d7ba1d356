import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createTestApp } from '#web/test/test-app.tsx'
import { dotted } from './isolated.ts'
import { useText } from './use-text.ts'

test('a name from right to left stays in its place in a line of several parts', () => {
  expect(dotted('مطبخ 2', '1.4.0', '34:98:7A:7B:4F:CE')).toBe('\u2068مطبخ 2\u2069 · 1.4.0 · 34:98:7A:7B:4F:CE')
  expect(dotted('סלון', '')).toBe('\u2068סלון\u2069')
})

test('other names are joined as they are', () => {
  expect(dotted('Kitchen', '', 'भान्सा')).toBe('Kitchen · भान्सा')
})

test('a name from right to left stays in its place in a sentence', async () => {
  const app = await createTestApp({ areas: ['table'] })
  const Sentence = () => <p>{useText()('table.select', { name: 'أحمد 1' })}</p>
  app.show(<Sentence />)
  expect(screen.getByText(/^Select/).textContent).toBe('Select \u2068أحمد 1\u2069')
})
