import { expect, test } from 'vitest'
import { isPageNamed } from './staff-pages.ts'

test('a page is found however its words are joined, in upper or lower case', () => {
  expect(isPageNamed('Firmware-files', 'firmware FILES')).toBe(true)
  expect(isPageNamed('Profile / Settings', 'settings')).toBe(true)
  expect(isPageNamed('Rooms', 'rollouts')).toBe(false)
})

test('the vowel signs of Devanagari are part of a word', () => {
  expect(isPageNamed('कोठा', 'कोठा')).toBe(true)
  expect(isPageNamed('कोठा', 'कोठी')).toBe(false)
})

test('punctuation alone matches no page', () => expect(isPageNamed('Rooms', '--')).toBe(false))
