import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import express from 'express'
import request from 'supertest'
import { expect, it } from 'vitest'
import { healthPages } from './health-pages.ts'

const reference = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../../../docs/reference/openapi.json'), 'utf8')
) as {
  paths: {
    '/readyz': {
      get: { responses: Record<string, { content: { 'application/json': { schema: { properties: object } } } }> }
    }
  }
}

it.each([
  ['without an optional dependency, which is named', { mongo: true, redis: false }, 200, ['redis']],
  ['not without what it needs', { mongo: false, redis: true }, 503, []]
])('is ready %s, in the words of the reference', async (_what, { mongo, redis }, status, degraded) => {
  const app = express().use(
    healthPages({ checks: { mongo: () => mongo }, optionalChecks: { redis: () => redis }, isStopping: () => false })
  )
  const { body } = await request(app).get('/readyz').expect(status)
  expect(body).toEqual({ ok: mongo, stopping: false, dependencies: { mongo, redis }, degraded })
  const { schema } = reference.paths['/readyz'].get.responses[status]?.content['application/json'] ?? {}
  expect(Object.keys(schema?.properties ?? {}).toSorted()).toEqual(Object.keys(body as object).toSorted())
})

it('names a failed dependency that is not required too', async () => {
  const optionalChecks = {
    disk: () => {
      throw new Error('ENOENT')
    }
  }
  const app = express().use(healthPages({ checks: {}, optionalChecks, isStopping: () => false }))
  const { body } = await request(app).get('/readyz').expect(200)
  expect(body).toMatchObject({ ok: true, dependencies: { disk: false }, degraded: ['disk'] })
})
