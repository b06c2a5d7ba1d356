import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import express from 'express'
import supertest from 'supertest'
import { describe, expect, it } from 'vitest'
import { deviceSetupPage, securityHeaders, setupTarget } from './security-headers.ts'

async function headersOf(path: string, { https = false } = {}): Promise<Record<string, string>> {
  const app = express().use(securityHeaders({ https }), (_req, res) => void res.end())
  const answer = await supertest(app).get(path)
  return answer.headers as Record<string, string>
}

describe('a page', () => {
  it.each([
    ['default-src', "'self'"],
    ['script-src', "'self'"],
    ['style-src', "'self' 'unsafe-inline'"],
    ['connect-src', "'self'"],
    ['worker-src', "'self'"],
    ['manifest-src', "'self'"],
    ['font-src', "'self'"],
    ['media-src', "'self'"],
    ['img-src', "'self' data: blob:"],
    ['frame-src', "'self'"],
    ['frame-ancestors', "'none'"],
    ['object-src', "'none'"],
    ['base-uri', "'none'"],
    ['form-action', "'self'"]
  ])('allows %s from %s only', async (directive, sources) => {
    const policy = (await headersOf('/user'))['content-security-policy'] ?? ''
    expect(policy.split(';')).toContain(`${directive} ${sources}`)
    expect(policy).not.toContain('upgrade-insecure-requests')
  })

  it('cannot be framed, sends no referrer, and shares its window with no other origin', async () => {
    expect(await headersOf('/user')).toMatchObject({
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin'
    })
  })

  it('gets HSTS only if it was served over https', async () => {
    expect((await headersOf('/user', { https: true }))['strict-transport-security']).toBe(
      'max-age=31536000; includeSubDomains'
    )
    expect(await headersOf('/user')).not.toHaveProperty('strict-transport-security')
  })
})

it('the answer of a call loads and embeds nothing, and no page frames it', async () => {
  const headers = await headersOf('/api/v1/home')
  expect(headers).toMatchObject({
    'content-security-policy': "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin'
  })
})

it.each(['/assets/app.js', '/theme.js'])('%s is not sniffed, and other sites cannot load it', async (path) => {
  const headers = await headersOf(path)
  expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cross-origin-resource-policy': 'same-origin' })
  expect(headers).not.toHaveProperty('content-security-policy')
})

describe('the address of a board in setup mode', () => {
  it('is a form target if it is in the local network', () => {
    expect(setupTarget('10.0.0.7:8080')).toBe('http://10.0.0.7:8080')
    expect(setupTarget('My.Board.local:81')).toBe('http://my.board.local:81')
  })
  it('in IPv6 allows any host at its port, because CSP sources cannot contain IPv6', () => {
    expect(setupTarget('[fe80::1]')).toBe('http://*:80')
    expect(setupTarget('[fd12:3456::1]:8080')).toBe('http://*:8080')
    expect(setupTarget('[2001:db8::1]')).toBeNull()
  })
  it.each(['8.8.8.8', "192.168.4.1; script-src 'unsafe-inline'", '192.168.4.1/x', '', undefined, ['10.0.0.1']])(
    'may not be %j',
    (host) => expect(setupTarget(host)).toBeNull()
  )
})

it('has the same condition for its wider policy as the service worker, which cannot import it', () => {
  const worker = readFileSync(join(import.meta.dirname, '../../../../web/public/sw.js'), 'utf8')
  expect(worker).toContain(`const setupPage = ${String(deviceSetupPage)}\n`)
})
