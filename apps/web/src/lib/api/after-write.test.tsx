import { deleteRoom } from '@batti/contracts'
import { useQuery } from '@tanstack/react-query'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { networkError } from '@batti/client/transport'
import { DeleteDialog } from '#web/ui/overlays/delete-dialog.tsx'
import { createTestApp, type Answer } from '#web/test/test-app.tsx'
import { ApiError } from './api-error.ts'
import { deleting } from './after-write.ts'
import { useChange } from './use-change.ts'

const refusal = (status: number): Answer => ({ status, code: 'INTERNAL', message: 'No.' })

/** A list, and a dialog that deletes from it. */
async function open(write: () => Answer) {
  const app = await createTestApp({ server: ({ method }) => (method === 'delete' ? write() : { data: null }) })
  let reads = 0
  const closed: string[] = []
  function Shown() {
    const remove = useChange(deleteRoom, [['rooms']])
    useQuery({ queryKey: ['rooms'], queryFn: () => ++reads })
    return (
      <DeleteDialog
        title="Kitchen?"
        remove={() => remove({ params: { id: 'r' } })}
        done="Deleted"
        failed="Failed"
        onClose={() => closed.push('closed')}
      />
    )
  }
  app.show(<Shown />)
  await waitFor(() => expect(reads).toBe(1))
  fireEvent.click(screen.getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(closed).toHaveLength(1))
  return { reads: () => reads }
}

test.each([
  ['no answer', () => Promise.reject(networkError(null)), 2],
  ['no network to leave by', () => Promise.reject(new ApiError('UNSENT', 'No network.')), 1],
  ['a fault of the server', () => refusal(500), 2],
  ['what is gone', () => refusal(404), 2],
  ['what another has changed', () => refusal(409), 2],
  ['a refusal', () => refusal(400), 1],
  ['a limit', () => refusal(429), 1]
])('after a write that met %s, what shows it is loaded again unless nothing was changed', async (_, answer, times) => {
  const { reads } = await open(answer as () => Answer)
  await waitFor(() => expect(reads()).toBe(times))
})

test('deleting a missing record succeeds; every other failure is thrown', async () => {
  const failing = (status: number) => Promise.reject(new ApiError('INTERNAL', 'No.', { status }))
  await expect(deleting(failing(404))).resolves.toBeUndefined()
  await expect(deleting(failing(403))).rejects.toThrow('No.')
  await expect(deleting(failing(0))).rejects.toThrow('No.')
})
