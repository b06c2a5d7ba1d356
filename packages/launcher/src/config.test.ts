import { expect, it } from 'vitest'
import { readSettings } from './config.ts'

const envOf = (env: Record<string, string>) => readSettings(env).env

it('the parts on this machine use no proxy for each other, nor for hosts that the user excluded', () => {
  const proxy = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: 'http://proxy.example:3128' }
  expect(envOf(proxy)).toEqual({ ...proxy, no_proxy: '127.0.0.1,localhost' })
  expect(envOf({ ...proxy, NO_PROXY: '.example.org' })).toEqual({
    ...proxy,
    NO_PROXY: '.example.org,127.0.0.1,localhost'
  })
  expect(envOf({ ...proxy, NO_PROXY: 'a', no_proxy: 'b' })['no_proxy']).toBe('b,127.0.0.1,localhost')
  expect(envOf({ HOME: '/root' })).toEqual({ HOME: '/root' })
})
