import { expect, test } from 'vitest'
import { createStoreRollout, planAgainstOthers } from './store-rollout.ts'

test('a rollout that cannot be stored reserves no board', async () => {
  const taken = new Set<string>()
  const storeRollout = createStoreRollout({
    rollouts: { newId: () => 'r1', insert: () => Promise.reject(new Error('no room')) },
    targets: { insert: async (id: string) => void taken.add(id) },
    plans: { begin: async () => undefined, end: async () => true, drop: async (id: string) => void taken.delete(id) },
    now: () => 0,
    base: () => '',
    wake: () => undefined
  } as unknown as Parameters<typeof createStoreRollout>[0])
  const fields = { fileId: null, isSingle: false } as Parameters<typeof storeRollout>[0]
  const none = { choice: { chosen: [], excluded: [] }, taken: [] }
  await expect(storeRollout(fields, none, (store) => store())).rejects.toThrow('no room')
  expect([...taken]).toEqual([])
})

test('a rollout is planned three times at most if others take its boards each time', async () => {
  let planned = 0
  const plan = () => Promise.reject(Object.assign(new Error(`taken ${(planned += 1)}`), { code: 11000 }))
  await expect(planAgainstOthers(plan)).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(planned).toBe(3)
})
