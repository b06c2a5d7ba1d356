import { expect, test } from 'vitest'
import { webVtt } from './subtitles.ts'

test('each line stays until the next one starts, the last until the end', () => {
  const subtitles = [
    { fromS: 0, text: 'एक' },
    { fromS: 4.75, text: 'दुई' },
    { fromS: 3661.0504, text: 'तीन' }
  ]
  expect(webVtt(subtitles, 3662)).toBe(
    [
      'WEBVTT',
      '',
      '00:00:00.000 --> 00:00:04.750 line:6%',
      'एक',
      '',
      '00:00:04.750 --> 01:01:01.050 line:6%',
      'दुई',
      '',
      '01:01:01.050 --> 01:01:02.000 line:6%',
      'तीन',
      ''
    ].join('\n')
  )
})
