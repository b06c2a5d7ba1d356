import { describe, expect, it } from 'vitest'
import { updateDevice } from './devices.ts'

describe("a board's Wi-Fi password", () => {
  const messageFor = (wifiPassword: string): string | undefined =>
    updateDevice.body?.safeParse({ wifiPassword }).error?.issues[0]?.message

  it.each(['', '  ', 'momo-mo8', 'x'.repeat(64)])('may be %j', (password) => {
    expect(messageFor(password)).toBeUndefined()
  })
  it.each(['x', 'seven-7', ' seven-7 '])('is refused if no Wi-Fi accepts it: %j', (password) => {
    expect(messageFor(password)).toBe('must have at least 8 characters, as every Wi-Fi password has')
  })
})
