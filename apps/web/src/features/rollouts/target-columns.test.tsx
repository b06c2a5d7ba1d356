import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { UpdateOutcome } from '#web/features/firmware-update/components/update-outcome.tsx'
import { createTestApp } from '#web/test/test-app.tsx'
import { targetColumns, type TargetRow } from './target-columns.tsx'

const target: TargetRow = {
  _id: '1',
  deviceId: '1',
  deviceMac: '34:98:7A:00:00:01',
  phase: 'rolled-back',
  percent: 100,
  error: { code: 'boot-failed', detail: 'It runs 1.4.0 again.' },
  changedAt: '2026-11-01T00:00:00.000Z'
}

async function openInNepali() {
  const app = await createTestApp({ areas: ['devices', 'firmware', 'rollouts'], language: 'ne' })
  await expect.poll(() => app.words('Your password is not correct.')).toMatch(/[\u0900-\u097F]/)
  return app
}

test("the server's reason for a failed update is in the language of the page, in lists", async () => {
  const app = await openInNepali()
  app.show(
    <>
      {targetColumns('/admin/devices')
        .find(({ id }) => id === 'error')
        ?.cell?.(target)}
    </>
  )
  expect(screen.getByTitle(/1\.4\.0/).title).not.toContain('again')
})

test("the server's reason for a failed update is in the language of the page, at the board", async () => {
  const app = await openInNepali()
  app.show(
    <UpdateOutcome
      update={{ id: '1', phase: 'rolled-back', percent: 100, code: 'boot-failed', error: 'It runs 1.4.0 again.' }}
    />
  )
  expect(screen.getByRole('status').textContent).toContain('1.4.0')
  expect(screen.getByRole('status').textContent).not.toContain('again')
})
