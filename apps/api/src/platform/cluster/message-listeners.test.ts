import { pino } from 'pino'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createMessageListeners } from './message-listeners.ts'

function listening() {
  const logged: string[] = []
  const heard: unknown[] = []
  const log = pino({}, { write: (line: string) => void logged.push((JSON.parse(line) as { msg: string }).msg) })
  const listeners = createMessageListeners(log)
  listeners.on('lamp', z.object({ isOn: z.boolean() }), (payload) => void heard.push(payload))
  return { ...listeners, heard, logged }
}

test('a message is heard by the listener of its kind alone', () => {
  const { hear, heard, logged } = listening()
  hear('lamp', { isOn: true })
  hear('fan', { isOn: true })
  expect({ heard, logged }).toEqual({ heard: [{ isOn: true }], logged: [] })
})

test('a message of another shape, as of another version, is logged and left out', () => {
  const { hear, heard, logged } = listening()
  hear('lamp', { isOn: 'yes' })
  expect({ heard, logged }).toEqual({ heard: [], logged: ['a message of another instance is invalid'] })
})

test('a listener that fails is logged, and the next message is heard', () => {
  const { on, hear, heard, logged } = listening()
  on('fan', z.null(), () => {
    throw new Error('the fan is gone')
  })
  hear('fan', null)
  hear('lamp', { isOn: false })
  expect({ heard, logged }).toEqual({
    heard: [{ isOn: false }],
    logged: ['a message of another instance could not be handled']
  })
})
