import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { checkBody, parseInput } from './validate.ts'

const faultsIn = (run: () => unknown): { path: string; message: string }[] => {
  try {
    run()
  } catch (error) {
    return [...(error as { errors: { path: string; message: string }[] }).errors]
  }
  return []
}

describe('a body', () => {
  it('with several errors names every field', () => {
    const schema = z.object({ name: z.string(), speed: z.int().max(255), days: z.array(z.enum(['Sun', 'Mon'])) })
    const faults = faultsIn(() => parseInput(schema, { speed: 256, days: ['Funday'] }))
    expect(faults.map(({ path }) => path)).toEqual(['name', 'speed', 'days.0'])
    expect(faults[0]?.message).toBe('is required')
  })

  it('outside a bound is told what the bound counts', () => {
    const schema = z.object({
      fileName: z.string().min(1),
      token: z.string().min(43),
      version: z.string().max(2),
      days: z.array(z.string()).max(2),
      speed: z.int().max(255)
    })
    const input = { fileName: '', token: 'short', version: '1.4', days: ['Sun', 'Mon', 'Tue'], speed: 256 }
    expect(faultsIn(() => parseInput(schema, input))).toEqual([
      { path: 'fileName', message: 'is required' },
      { path: 'token', message: 'must be at least 43 characters' },
      { path: 'version', message: 'must be at most 2 characters' },
      { path: 'days', message: 'must have at most 2 entries' },
      { path: 'speed', message: 'must be at most 255' }
    ])
  })

  it('with thousands of faults names the first hundred', () => {
    const schema = z.object({ days: z.array(z.enum(['Sun', 'Mon'])) })
    const faults = faultsIn(() => parseInput(schema, { days: Array.from({ length: 5000 }, () => 'Funday') }))
    expect(faults.map(({ path }) => path)).toEqual(Array.from({ length: 100 }, (_, at) => `days.${at}`))
  })

  it.each(['__proto__', 'constructor', 'prototype'])('that contains %s is refused, however deep', (key) => {
    const body: unknown = JSON.parse(`{"a":[{"${key}":{"isAdmin":true}}]}`)
    expect(faultsIn(() => checkBody(body, []))).toEqual([{ path: `a.0.${key}`, message: 'is not a field' }])
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
  })

  it('that is nested too deep is refused without being walked', () => {
    const deep: unknown = JSON.parse(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`)
    expect(faultsIn(() => checkBody(deep, []))).toMatchObject([{ message: 'must not nest deeper than 20 levels' }])
  })

  it('with an endless text is refused before a schema reads it, however deep', () => {
    const body = { name: 'a'.repeat(16_385), days: [{ label: 'a'.repeat(16_384) }, { label: 'a'.repeat(70_000) }] }
    const message = 'must be at most 16384 characters'
    expect(faultsIn(() => checkBody(body, []))).toEqual([
      { path: 'name', message },
      { path: 'days.1.label', message }
    ])
  })

  it('with fields that the caller may not set is refused, naming them', () => {
    expect(
      faultsIn(() => checkBody({ role: 'admin', name: 'x', isOnline: true }, ['role', 'isOnline'])).map(
        ({ path }) => path
      )
    ).toEqual(['role', 'isOnline'])
  })

  it('is refused with a specified sentence unchanged', () => {
    const schema = z.object({ switchName: z.string().min(1, "Name can't be empty") })
    expect(() => parseInput(schema, { switchName: '' })).toThrow("Name can't be empty")
  })
})
