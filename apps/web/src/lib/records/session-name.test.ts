import { expect, test } from 'vitest'
import { placeOf } from './session-name.ts'

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/151.0.0.0 Safari/537.36 Edg/151.0.0.0`,
    'Edge',
    'Windows'
  ],
  [`Mozilla/5.0 (Linux; Android 15; Pixel 9) ${webkit} Chrome/151.0.0.0 Mobile Safari/537.36`, 'Chrome', 'Android'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox', 'Linux'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1',
    'Safari',
    'iPhone'
  ],
  ['Dart/3.9 (dart:io)', 'App', null],
  ['node', 'Node.js', null],
  ['', null, null]
])('%s', (userAgent, browser, system) => {
  expect(placeOf(userAgent)).toMatchObject({ browser, system })
})

test('phones are distinguished from computers', () => {
  expect(placeOf(`Mozilla/5.0 (Linux; Android 15) ${webkit} Chrome/151.0.0.0 Mobile Safari/537.36`).isPhone).toBe(true)
  expect(placeOf('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0').isPhone).toBe(false)
})
