import { networkError } from '@batti/client/transport'
import { ApiError } from '@batti/client/api-error'
import { act } from '@testing-library/react'
import { useEffect } from 'react'
import { expect, test } from 'vitest'
import { createTestApp } from '#web/test/test-app.tsx'
import { useCreate } from './use-create.ts'

interface Made {
  name: string
  createdAt: string
}

/** A list on a server that stores what it is sent; the test says how its answers fare. */
async function open(answers: (Error | null)[], reads: (Error | null)[] = []) {
  const app = await createTestApp()
  const stored: Made[] = []
  const made = (name: string) => ({ name, createdAt: new Date(app.clock.now()).toISOString() })
  const form: { create?: (name: string) => Promise<Made> } = {}
  function Form() {
    const create = useCreate(
      async (name: string) => {
        const record = made(name)
        stored.push(record)
        const fault = answers.shift() ?? null
        if (fault !== null) throw fault
        return record
      },
      async () => {
        const fault = reads.shift() ?? null
        if (fault !== null) throw fault
        return stored
      },
      (record, name) => record.name === name
    )
    useEffect(() => void Object.assign(form, { create }))
    return null
  }
  app.show(<Form />)
  const save = (name: string) => act(async () => form.create?.(name))
  return { clock: app.clock, stored, made, save }
}
const lost = () => networkError(null)

test('a record whose answer was lost is looked for, and counts as created', async () => {
  const { save, stored } = await open([lost()])
  expect(await save('lamp')).toMatchObject({ name: 'lamp' })
  expect(stored).toHaveLength(1)
})

test('while nothing answers it counts as failed; the next press finds it, and the one after creates another', async () => {
  const { save, stored } = await open([lost()], [lost()])
  await expect(save('lamp')).rejects.toThrow(lost().message)
  await save('lamp')
  expect(stored).toHaveLength(1)
  await save('lamp')
  expect(stored).toHaveLength(2)
})

test('an equal record from before the try is another one', async () => {
  const { save, stored, made, clock } = await open([lost()], [lost()])
  stored.push(made('lamp'))
  clock.advance(1000)
  await expect(save('lamp')).rejects.toThrow(lost().message)
  stored.pop()
  await save('lamp')
  expect(stored).toHaveLength(2)
})

test('an error of the server is shown, whatever is stored; the next press finds the record', async () => {
  const { save, stored } = await open([new ApiError('DEVICE_NO_RESPONSE', 'No response.', { status: 504 })])
  await expect(save('lamp')).rejects.toThrow('No response.')
  await save('lamp')
  expect(stored).toHaveLength(1)
})

test('after a refusal the next press creates a record, also where an equal one is stored', async () => {
  const { save, stored } = await open([new ApiError('CONFLICT', 'Busy.', { status: 409 })])
  await expect(save('lamp')).rejects.toThrow('Busy.')
  await save('lamp')
  expect(stored).toHaveLength(2)
})
