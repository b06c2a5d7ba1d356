import express from 'express'
import { mongo } from 'mongoose'
import { pino } from 'pino'
import supertest from 'supertest'
import { describe, expect, it } from 'vitest'
import { AppError } from '../app-error.ts'
import { createErrorHandler, toAppError } from './error-handler.ts'

const withFields = (fields: object): Error => Object.assign(new Error('it went wrong'), fields)

describe('an error becomes', () => {
  it.each([
    ['a database that nobody can select', withFields({ name: 'MongoServerSelectionError' })],
    ['a connection to the database that broke', withFields({ name: 'MongoNetworkError' })],
    ['no free connection in time', withFields({ name: 'MongoWaitQueueTimeoutError' })],
    ["the driver's bare socket error, thrown while it writes to a dead database", withFields({ code: 'EPIPE' })],
    ['the same when the database has reset the line', withFields({ code: 'ECONNRESET' })],
    ['a query that took too long', withFields({ code: 50 })],
    ['a cursor that was killed because its call took too long', withFields({ code: 237 })],
    ['a cursor that is gone when more of it is read', withFields({ code: 43 })]
  ])('503 with Retry-After: %s', (_what, error) => {
    expect(toAppError(error)).toMatchObject({ code: 'UNAVAILABLE', status: 503, retryAfterS: 5 })
  })

  it.each([
    ['an error of our own, as it is', new AppError('NOT_FOUND', 'No such room.'), 'NOT_FOUND'],
    ['a body too large', withFields({ type: 'entity.too.large' }), 'PAYLOAD_TOO_LARGE'],
    ['a full disk', withFields({ code: 'ENOSPC' }), 'STORAGE_FULL'],
    [
      'a full disk under the database',
      new mongo.MongoServerError({ code: 14031, errmsg: 'The disk is full: nothing of this write was stored.' }),
      'STORAGE_FULL'
    ],
    ['a file of the app that is not there', withFields({ status: 404 }), 'NOT_FOUND'],
    ['a path that cannot be decoded', withFields({ name: 'URIError' }), 'VALIDATION'],
    ['something nobody foresaw', withFields({ code: 'EWHATEVER' }), 'INTERNAL'],
    ['something that is no error', 'oops', 'INTERNAL']
  ])('%s', (_what, error, code) => {
    expect(toAppError(error).code).toBe(code)
  })

  it('nothing internal for strangers', () => {
    expect(toAppError(withFields({ message: 'ENOENT /var/lib/secret' })).message).toBe(
      'Something went wrong. Please try again.'
    )
  })
})

it('an error in the middle of an answer breaks it off, and is logged like any other', async () => {
  const logged: string[] = []
  const server = express()
  server.get('/', async (_req, res) => {
    await new Promise((resolve) => res.write('half of it', resolve))
    throw withFields({ name: 'MongoServerSelectionError' })
  })
  server.use(createErrorHandler(pino({}, { write: (line: string) => void logged.push(line) })))
  await expect(supertest(server).get('/')).rejects.toThrow('aborted')
  expect(logged.map((line) => JSON.parse(line).err.type)).toEqual(['Error'])
})
