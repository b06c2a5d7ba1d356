import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { apiDescription, groupsOf } from './description.ts'
import { exampleOf, schemaLines } from './schema-lines.ts'
import { addressOf, readable } from './try-request.ts'

const file = join(import.meta.dirname, '../../../../../docs/reference/openapi.json')
const description = apiDescription.parse(JSON.parse(readFileSync(file, 'utf8')))
const { schemas } = description.components
const groups = groupsOf(description)
const callOf = (id: string) => {
  const call = groups.flatMap(({ calls }) => calls).find((each) => each.id === id)
  if (call === undefined) throw new Error(`no call ${id}`)
  return call
}

test('every call of the description is in one group', () => {
  const counted = Object.values(description.paths).reduce(
    (sum, item) => sum + Object.keys(item).filter((key) => key !== 'servers').length,
    0
  )
  const ids = groups.flatMap(({ calls }) => calls.map(({ id }) => id))
  expect(ids).toHaveLength(counted)
  expect(new Set(ids).size).toBe(counted)
})

test('a call shows its whole path, its access, and its answer without the envelope', () => {
  const login = callOf('login')
  expect([login.method, login.path, login.access, login.isHere]).toEqual([
    'post',
    '/api/v1/user/login',
    'anybody',
    true
  ])
  const [ok] = login.answers
  expect(
    ok?.schema === null || ok === undefined ? [] : schemaLines(ok.schema, schemas).map(({ path }) => path)
  ).toEqual(expect.arrayContaining(['accessToken', 'user', 'user.email']))
  expect(login.answers.map(({ status, words }) => `${status} ${words}`)).toContain('401 UNAUTHENTICATED')
  expect(callOf('getAccount').access).toBe('account')
  expect(callOf('healthz').path).toBe('/healthz')
})

test('only a call to this server can be tried, and none between parts of the product', () => {
  const here = groups.flatMap(({ calls }) => calls.filter(({ isHere, access }) => isHere && access !== 'internal'))
  expect(here.map(({ path }) => path).filter((path) => path.startsWith('/internal/'))).toEqual([])
  expect(here.map(({ path }) => path)).not.toContain('/setupconfig')
})

test('fields are listed with their types, whether they are required, and their limits', () => {
  const [body] = callOf('login').body
  if (!body?.schema) throw new Error('login has a body')
  expect(schemaLines(body.schema, schemas)).toContainEqual({
    path: 'password',
    name: 'password',
    depth: 0,
    isRequired: true,
    type: 'string',
    facts: '6…1024 characters'
  })
})

test('a recursive schema ends', () => {
  const own = { properties: { child: { $ref: '#/components/schemas/Own' } } }
  expect(schemaLines(own, { Own: own }).at(-1)?.path).toBe('child.child.child.child.child')
})

test('an example has the required fields, of the right type', () => {
  const [body] = callOf('createSchedule').body
  if (!body?.schema) throw new Error('a schedule has a body')
  expect(exampleOf(body.schema, schemas)).toMatchObject({ switchIndex: 0, startAction: 'on', startTime: '' })
})

test('the address of a call has its path fields and the filled query fields', () => {
  const call = {
    path: '/api/v1/devices/{id}',
    parameters: [
      { name: 'id', in: 'path' },
      { name: 'search', in: 'query' },
      { name: 'page', in: 'query' }
    ]
  }
  expect(addressOf(call, { id: 'a/b', search: 'wall 4', page: '' })).toBe('/api/v1/devices/a%2Fb?search=wall+4')
  expect(readable('{"a":1}')).toBe('{\n  "a": 1\n}')
  expect(readable('# TYPE up gauge')).toBe('# TYPE up gauge')
})
