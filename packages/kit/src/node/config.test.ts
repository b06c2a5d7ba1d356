import { expect, test } from 'vitest'
import { calledFrom, givenIn } from './config.ts'

test('a relative path is meant from where npm was called, or else from where the program was started', () => {
  expect(calledFrom({ INIT_CWD: '/home/maya' })).toBe('/home/maya')
  expect(calledFrom({ INIT_CWD: '' })).toBe(process.cwd())
  expect(calledFrom({})).toBe(process.cwd())
})

test('an empty or blank setting counts as not set', () => {
  expect(givenIn({ A: 'a ', B: '', C: ' ', D: undefined })).toEqual({ A: 'a ' })
})
