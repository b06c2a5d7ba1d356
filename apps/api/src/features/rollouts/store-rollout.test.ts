import { expect, test } from 'vitest'
import { createStoreRollout } from './store-rollout.ts'

test('a rollout that cannot be stored reserves no board', async () => {
  const taken = new Set<string>()
  const storeRollout = createStoreRollout({
    rollouts: { newId: () => 'r1', insert: () => Promise.reject(new Error('no room')) },
    targets: {
      insert: async (id: string) => void taken.add(id),
      deleteOf: async (id: string) => void taken.delete(id)
    },
    now: () => 0,
    base: () => '',
    wake: () => undefined
  } as unknown as Parameters<typeof createStoreRollout>[0])
  const fields = { fileId: null, isSingle: false } as Parameters<typeof storeRollout>[0]
  await expect(
    storeRollout(fields, { chosen: [] } as unknown as Parameters<typeof storeRollout>[1], [])
  ).rejects.toThrow('no room')
  expect([...taken]).toEqual([])
})
