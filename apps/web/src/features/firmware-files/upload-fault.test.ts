import { expect, test } from 'vitest'
import { secondsLeft, uploadFault } from './upload-fault.ts'

test('only a .bin of 1 byte to 16 MB is sent', () => {
  expect(uploadFault({ name: 'wall-1.4.2.bin', size: 1 })).toBeNull()
  expect(uploadFault({ name: 'WALL-1.4.2.BIN', size: 16 * 1024 * 1024 })).toBeNull()
  expect(uploadFault({ name: 'wall-1.4.2.zip', size: 1 })).toBe('files.onlyBin')
  expect(uploadFault({ name: 'wall-1.4.2.bin', size: 0 })).toBe('files.isEmpty')
  expect(uploadFault({ name: 'wall-1.4.2.bin', size: 16 * 1024 * 1024 + 1 })).toBe('files.tooLarge')
})

test('the remaining time is estimated from the rate so far, once there is one', () => {
  expect(secondsLeft(0.01, 4000)).toBeNull()
  expect(secondsLeft(0.5, 100)).toBeNull()
  expect(secondsLeft(0.5, 3000)).toBe(3)
  expect(secondsLeft(0.99, 9900)).toBe(1)
})
