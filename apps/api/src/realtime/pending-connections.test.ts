import { expect, test } from 'vitest'
import { createPendingConnections } from './pending-connections.ts'

test('an address has 200 connections that have not logged in, and another one for each that has, or has closed', () => {
  const pending = createPendingConnections()
  const leave = Array.from({ length: 200 }, () => {
    expect(pending.mayEnter('203.0.113.7')).toBe(true)
    return pending.enter('203.0.113.7')
  })
  expect(pending.mayEnter('203.0.113.7')).toBe(false)
  expect(pending.mayEnter('203.0.113.8')).toBe(true)
  leave[0]?.()
  leave[0]?.()
  pending.enter('203.0.113.7')
  expect(pending.mayEnter('203.0.113.7')).toBe(false)
})
