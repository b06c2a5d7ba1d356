import { expect, it } from 'vitest'
import { parseJson } from '@batti/kit/json'
import { runToEnd } from '@batti/kit/node/testing'

it('a rejection that nobody handled is logged, and an exception that nobody caught also ends the process', () => {
  const script = `import { createLogger, logUncaught } from '${import.meta.resolve('./log.ts')}'
    logUncaught(createLogger({ LOG_LEVEL: 'info' }))
    process.on('unhandledRejection', () => { throw new Error('half done') })
    setInterval(() => {}, 1000)
    Promise.reject(new Error('no luck'))`
  const { stdout, status } = runToEnd(process.execPath, ['--input-type=module', '--eval', script])
  expect(stdout.trim().split('\n').toSorted().map(parseJson)).toEqual([
    expect.objectContaining({
      level: 50,
      msg: 'a rejection was not handled',
      err: expect.objectContaining({ message: 'no luck' })
    }),
    expect.objectContaining({
      level: 60,
      msg: 'an exception was not caught',
      err: expect.objectContaining({ message: 'half done' })
    })
  ])
  expect(status).toBe(1)
})
