import { networkError } from '@batti/client/transport'
import type { BulkSettings } from '@batti/contracts'
import { act } from '@testing-library/react'
import { useEffect } from 'react'
import { expect, test } from 'vitest'
import { bulkRecord, sita } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { accessToken } from '#web/test/tokens.ts'
import { useSendBulk } from './use-send-bulk.ts'

test('a bulk change whose answer was lost is found; another one of the same admin is not taken for it', async () => {
  const green = { activeColor: 'green' }
  const app = await createTestApp({
    server: ({ method }) => {
      if (method === 'post') return Promise.reject(networkError(null))
      const stored = bulkRecord({
        _id: 'f'.repeat(24),
        total: 3,
        set: green,
        createdAt: new Date(app.clock.now()).toISOString(),
        createdBy: sita._id
      })
      return { data: { rollouts: [stored], byState: {}, total: 1, page: 1, limit: 20, totalPages: 1 } }
    }
  })
  const now = app.clock.now()
  const token = accessToken({ role: 'admin', iatMs: now, expMs: now + 900_000 })
  app.session.signIn({ accessToken: token, refreshToken: 'r1' }, { ...sita, role: 'admin', permissions: [] })
  const dialog: { send?: ReturnType<typeof useSendBulk> } = {}
  function Dialog() {
    const send = useSendBulk()
    useEffect(() => void Object.assign(dialog, { send }))
    return null
  }
  app.show(<Dialog />)
  const send = (set: BulkSettings) => act(async () => dialog.send?.({ deviceIds: ['d'.repeat(24)], set }))
  expect(await send(green)).toEqual({ id: 'f'.repeat(24), total: 3 })
  await expect(send({ activeColor: 'blue' })).rejects.toThrow(networkError(null).message)
})
