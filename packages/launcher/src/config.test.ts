import { expect, it } from 'vitest'
import { readSettings } from './config.ts'

const envOf = (env: Record<string, string>) => readSettings(env).env

it('what runs on this machine asks no proxy for its neighbours, and those that a person named neither', () => {
  const proxy = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: 'http://proxy.example:3128' }
  expect(envOf(proxy)).toEqual({ ...proxy, no_proxy: '127.0.0.1,localhost' })
  expect(envOf({ ...proxy, NO_PROXY: '.example.org' })).toEqual({
    ...proxy,
    NO_PROXY: '.example.org,127.0.0.1,localhost'
  })
  expect(envOf({ ...proxy, NO_PROXY: 'a', no_proxy: 'b' })['no_proxy']).toBe('b,127.0.0.1,localhost')
  expect(envOf({ HOME: '/root' })).toEqual({ HOME: '/root' })
})
