import { monitorPermissions, type RouteAccess } from '@batti/contracts'
import { allRoutes } from '@batti/contracts/routes'
import { until } from '@batti/kit/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startProduct, type Person, type TestProduct } from '../../testing/product.ts'

let product: TestProduct
let user: Person
beforeAll(async () => {
  product = await startProduct()
  user = await product.person()
})
afterAll(() => product.stop())

/** A path with valid parameters that match no record. */
const concrete = (path: string): string =>
  path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => (name === 'index' ? '0' : '65a0000000000000000000ff'))
const guarded = allRoutes.filter(({ route }) => route.access.kind !== 'public')
const ask = (method: string, path: string, as?: Person) =>
  product.call(method.toUpperCase(), concrete(path), {
    ...(as === undefined ? {} : { as }),
    ...(method === 'get' ? {} : { body: {} })
  })

describe('every call of the contracts', () => {
  it.each(allRoutes.map(({ name, route }) => [`${route.method.toUpperCase()} ${route.path}`, name, route] as const))(
    '%s exists',
    async (_call, _name, route) => {
      const { status, body } = await ask(route.method, route.path)
      expect(status, body.message).not.toBe(405)
      expect(body.message).not.toContain('That call does not exist')
    }
  )

  it('that needs a login answers 401 without one', async () => {
    for (const { route } of guarded) expect((await ask(route.method, route.path)).status, route.path).toBe(401)
  })

  it('answers 403 to a user if it is not for users, and is recorded in the unauthorized log', async () => {
    const closed = guarded.filter(({ route }) => route.access.kind === 'roles' && !route.access.user)
    for (const { route } of closed) expect((await ask(route.method, route.path, user)).status, route.path).toBe(403)
    const admin = await product.person('admin')
    await until('the refusal is in the log', async () => {
      const { body } = await product.call('GET', '/unauthorized-logs', { as: admin })
      const { logs } = body.data as unknown as { logs: { url: string; method: string }[] }
      return logs.some(({ method, url }) => method === 'POST' && url.includes('/monitors'))
    })
  })

  it.each([[], ...monitorPermissions.map((permission) => [permission])])(
    'allows a monitor with %j what the permission names, and nothing else',
    async (...permissions) => {
      const monitor = await product.monitor(permissions)
      const may = (access: RouteAccess): boolean =>
        access.kind === 'roles' &&
        (access.monitor === 'any' || (access.monitor !== false && permissions.includes(access.monitor)))
      for (const { route } of guarded.filter((each) => each.route.access.kind === 'roles')) {
        const { status } = await ask(route.method, route.path, monitor)
        expect([route.path, status === 403]).toEqual([route.path, !may(route.access)])
      }
    }
  )
})

describe('an unknown call', () => {
  it('answers 404 as JSON, or 405 with Allow if only the method is wrong', async () => {
    expect(await product.call('GET', '/nothing-here')).toMatchObject({
      status: 404,
      body: { success: false, code: 'NOT_FOUND' }
    })
    const answer = await fetch(`${product.url}/api/v1/user/login`, { method: 'DELETE' })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
  })

  it.each([
    ['malformed JSON', 'application/json', '{"email":', 400],
    ['another content type', 'text/xml', '<a/>', 415],
    ['20,000 levels of JSON', 'application/json', `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`, 400],
    ['a body beyond the limit', 'application/json', JSON.stringify({ email: 'x'.repeat(400_000) }), 413],
    ['a quarter megabyte of brackets', 'application/json', `[${'[],'.repeat(80_000)}0]`, 413],
    ['operators in place of text', 'application/json', '{"email":{"$ne":null},"password":{"$gt":""}}', 400],
    ['a prototype', 'application/json', '{"__proto__":{"role":"admin"},"email":"a@b.c","password":"123456"}', 400]
  ])('%s is refused as JSON with a request id and without a stack', async (_what, type, body, status) => {
    const answer = await fetch(`${product.url}/api/v1/user/login`, {
      method: 'POST',
      headers: { 'content-type': type },
      body
    })
    const text = await answer.text()
    expect(answer.status, text).toBe(status)
    expect(JSON.parse(text)).toMatchObject({
      success: false,
      statusCode: status,
      requestId: expect.any(String) as string
    })
    expect(text).not.toMatch(/node_modules|\bat \//)
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('a %s with a body of another content type is a 415', async (method) => {
    const call = { method, headers: { 'content-type': 'text/xml' }, body: '<a/>' }
    expect((await fetch(`${product.url}/api/v1/user/profile`, call)).status).toBe(415)
  })

  it('a path that is not encoded correctly is a 400', async () => {
    expect(
      (await fetch(`${product.url}/api/v1/devices/%E0%A4%A`, { headers: { authorization: `Bearer ${user.token}` } }))
        .status
    ).toBe(400)
  })
})

describe('every answer', () => {
  it.each(['/api/v1/user/account', '/api/v1/nothing', '/healthz', '/nothing.png'])(
    'of %s carries the security headers and no trace of Express',
    async (path) => {
      const { headers } = await fetch(product.url + path)
      expect(headers.get('x-powered-by')).toBeNull()
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    }
  )

  it.each(['https://evil.example', 'null', 'http://127.0.0.1.evil.example'])(
    'reveals nothing to a page of %s',
    async (origin) => {
      const { headers } = await fetch(`${product.url}/api/v1/user/account`, { headers: { origin } })
      expect(headers.get('access-control-allow-origin')).toBeNull()
    }
  )

  it('is kept short for files of the build, which are for its own pages', async () => {
    const { headers } = await fetch(`${product.url}/assets/none.js`)
    expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
    expect(headers.get('vary')).not.toMatch(/origin/i)
  })

  it('allows the page that sets up a board to post to that board only', async () => {
    const policyOf = async (path: string) =>
      (await fetch(product.url + path, { headers: { accept: 'text/html' } })).headers.get('content-security-policy')
    expect(await policyOf('/user/devices/new')).toMatch(/form-action 'self' http:\/\/192\.168\.4\.1$/)
    expect(await policyOf('/user/devices/new?board=127.0.0.1:8080')).toContain('http://127.0.0.1:8080')
    expect(await policyOf('/user/devices/new?board=evil.example')).not.toContain('evil')
    // The web shows that page here too.
    expect(await policyOf('/user/devices/new/')).toMatch(/form-action 'self' http:\/\/192\.168\.4\.1$/)
    expect(await policyOf('/user/Devices/new')).toMatch(/form-action 'self' http:\/\/192\.168\.4\.1$/)
    expect(await policyOf('/user/devices')).toMatch(/form-action 'self'$/)
  })
})
