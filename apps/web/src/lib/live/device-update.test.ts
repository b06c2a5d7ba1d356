import { expect, test } from 'vitest'
import { isInstalling, newestUpdate } from './device-update.ts'

const known = { id: 'b', version: '1.6.0', phase: 'sent', percent: 0 } as const

test('an event is newer than the record, until its update has ended and the record names another one', () => {
  expect(newestUpdate(undefined, known)).toBe(known)
  expect(newestUpdate(undefined, undefined)).toBeNull()
  const received = { id: 'b', phase: 'download', percent: 40 } as const
  expect(newestUpdate(received, known)).toBe(received)
  const ended = { id: 'a', phase: 'done', percent: 100 } as const
  expect(newestUpdate(ended, known)).toBe(known)
  expect(newestUpdate(ended, null)).toBe(ended)
})

test('a board accepts no commands from the installation until it has restarted', () => {
  const locked = (['sent', 'download', 'verify', 'install', 'reboot', 'proving', 'done', 'failed'] as const).filter(
    (phase) => isInstalling({ phase })
  )
  expect(locked).toEqual(['install', 'reboot'])
})
