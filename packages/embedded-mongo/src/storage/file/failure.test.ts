import { describe, expect, it } from 'vitest'
import { sqliteFailure } from './failure.ts'

describe('a failure of the disk', () => {
  const failureOf = (errcode: number): Error =>
    sqliteFailure(Object.assign(new Error('disk I/O error'), { errcode }), '/home/batti.db')

  it('says of a read that the disk is failing, and of a write that nothing was stored', () => {
    const [read, write] = [266, 778].map(failureOf)
    expect(read).toMatchObject({
      code: 1,
      message: expect.stringMatching(/a part of \/home\/batti\.db cannot be read/)
    })
    expect(write).toMatchObject({ code: 14031, message: expect.stringMatching(/nothing of it was stored/) })
  })
})
