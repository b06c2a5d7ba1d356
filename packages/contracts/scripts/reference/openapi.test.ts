import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { errorStatus, failureBody, successBody } from '../../src/index.ts'
import { allRoutes } from '../../src/routes.ts'
import { openApiDocument } from './openapi.ts'

type Any = any // oxlint-disable-line typescript/no-explicit-any -- a document without a type, read by its tests alone
const document: Any = openApiDocument()
const methods = ['get', 'post', 'put', 'patch', 'delete']
const operations: { path: string; method: string; operation: Any }[] = Object.entries<Any>(document.paths).flatMap(
  ([path, item]) =>
    methods.filter((method) => method in item).map((method) => ({ path, method, operation: item[method] }))
)
const byId = (id: string): Any => operations.find(({ operation }) => operation.operationId === id)?.operation

function references(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(references)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, content]) => (key === '$ref' ? [String(content)] : references(content)))
}
const resolve = (reference: string): unknown =>
  reference
    .slice(2)
    .split('/')
    .reduce((at: Any, part) => at?.[part], document)

/** The zod schema that a client would generate from the description: it accepts what a client accepts. */
function clientSchema(schema: Any): z.ZodType {
  const text = JSON.stringify({ ...schema, $defs: document.components.schemas })
  return z.fromJSONSchema(JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')))
}
const answerOf = (id: string, status: string): z.ZodType => {
  const response = byId(id).responses[status]
  const found = response.$ref === undefined ? response : (resolve(response.$ref) as Any)
  return clientSchema(found.content['application/json'].schema)
}

describe('openapi.json', () => {
  it('is OpenAPI 3.1 with every call of the product, named after its descriptor', () => {
    expect(document.openapi).toBe('3.1.0')
    expect(document.jsonSchemaDialect).toBeUndefined()
    for (const { name, route } of allRoutes) expect(document.paths[route.path][route.method].operationId).toBe(name)
  })

  it('gives each operation an id, a known tag, a summary and at least one answer', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    const tags = document.tags.map((tag: Any) => tag.name)
    for (const { operation } of operations) {
      expect(tags).toContain(operation.tags[0])
      expect(operation.summary.length).toBeGreaterThan(0)
      expect(Object.keys(operation.responses).some((status) => status.startsWith('2'))).toBe(true)
    }
  })

  it('has no dangling reference, and no unused schema', () => {
    const used = new Set(references(document))
    for (const reference of used) expect([reference, typeof resolve(reference)]).toEqual([reference, 'object'])
    const unused = Object.keys(document.components.schemas).filter((name) => !used.has(`#/components/schemas/${name}`))
    expect(unused).toEqual([])
  })

  it('declares every path parameter as required', () => {
    for (const { path, operation } of operations) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
      const declared = (operation.parameters ?? []).filter((one: Any) => one.in === 'path' && one.required === true)
      expect([path, declared.map((one: Any) => one.name)]).toEqual([path, inPath])
    }
  })

  it('requires a login everywhere except where strangers may call', () => {
    const isPublic = (name: string): boolean => Array.isArray(byId(name).security)
    for (const { name, route } of allRoutes) {
      expect([name, isPublic(name)]).toEqual([name, route.access.kind === 'public'])
    }
    expect(document.security).toEqual([{ accessToken: [] }])
    expect(byId('refreshToken').security).toEqual([{}, { refreshCookie: [] }])
  })

  it('describes files as multipart, in the field that the route names', () => {
    const fileOf = (id: string): string[] =>
      Object.entries<Any>(byId(id).requestBody.content['multipart/form-data'].schema.properties)
        .filter(([, field]) => field.format === 'binary')
        .map(([name]) => name)
    expect(fileOf('register')).toEqual(['profileImage'])
    expect(fileOf('updateAccount')).toEqual(['profileImage'])
    expect(fileOf('createDeviceType')).toEqual(['deviceImage'])
  })

  it('describes the envelope as it is sent: data, and its fields beside it', () => {
    const rooms = { rooms: [], total: 0, page: 1, limit: 500, totalPages: 0 }
    const client = answerOf('listRooms', '200')
    expect(client.safeParse(successBody(200, 'OK', rooms)).success).toBe(true)
    expect(client.safeParse(successBody(200, 'OK', rooms, { spread: false })).success).toBe(false)
    expect(client.safeParse({ ...successBody(200, 'OK', rooms), success: false }).success).toBe(false)
  })

  it('describes both lists of switches: a user gets data.data, staff get data itself', () => {
    const paging = { total: 0, page: 1, limit: 500, totalPages: 0 }
    const client = answerOf('listSwitches', '200')
    expect(client.safeParse(successBody(200, 'OK', { data: [], switches: [], ...paging })).success).toBe(true)
    expect(client.safeParse(successBody(200, 'OK', [], { beside: { switches: [], ...paging } })).success).toBe(true)
    expect(client.safeParse(successBody(200, 'OK', {})).success).toBe(false)
  })

  it('describes the errors of each call by status and code', () => {
    expect(
      answerOf('updateSwitch', '504').safeParse(failureBody('DEVICE_NO_RESPONSE', 'No response.', 'r')).success
    ).toBe(true)
    expect(answerOf('updateSwitch', '409').safeParse(failureBody('DEVICE_OFFLINE', 'Offline.', 'r')).success).toBe(true)
    expect(answerOf('updateSwitch', '409').safeParse(failureBody('LIMIT_REACHED', 'Full.', 'r')).success).toBe(false)
    expect(answerOf('deviceAuth', '403').safeParse(failureBody('DEVICE_REFUSED', 'Refused.', 'r')).success).toBe(true)
    const statuses = new Set<string>(Object.values(errorStatus).map(String))
    for (const { name } of allRoutes) {
      const refused = Object.keys(byId(name).responses).filter((status) => !status.startsWith('2'))
      expect(refused.every((status) => statuses.has(status))).toBe(true)
      expect(refused).toEqual(expect.arrayContaining(['403', '429', '500', '503']))
    }
  })

  it('names the headers that say when to try again, and how to log in', () => {
    const headers = (status: string): string[] =>
      Object.keys((resolve(byId('getHome').responses[status].$ref) as Any).headers ?? {})
    expect(headers('429')).toEqual(['Retry-After'])
    expect(headers('503')).toEqual(['Retry-After'])
    expect(headers('401')).toEqual(['WWW-Authenticate'])
    expect(headers('500')).toEqual([])
  })

  it('is the same each time it is generated', () => {
    expect(JSON.stringify(openApiDocument())).toBe(JSON.stringify(document))
  })
})
