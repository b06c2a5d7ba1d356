import { networkError } from '@batti/client/transport'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { boardRecord } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { textsOf } from '#web/test/texts-of.ts'
import { LabelsDialog } from './labels-dialog.tsx'

test.each([
  ['a label that is too long', `lab, ${'x'.repeat(33)}`, 'बढीमा ३२ अक्षर'],
  ['too many labels', '1, 2, 3, 4, 5, 6, 7, 8, 9', 'बढीमा ८ वटा लेबल']
])('%s is reported at the field, in the language of the page, and nothing is sent', async (_what, typed, fault) => {
  const app = await createTestApp({ areas: textsOf('/admin/devices/:id'), language: 'ne' })
  app.show(<LabelsDialog device={boardRecord()} onClose={() => {}} />)
  fireEvent.change(screen.getByRole('textbox'), { target: { value: typed } })
  fireEvent.click(screen.getByRole('button', { name: 'सुरक्षित गर्नुहोस्' }))
  const shown = await screen.findByText(fault)
  expect(screen.getByRole('textbox').getAttribute('aria-describedby')).toContain(shown.id)
  expect(app.requests).toEqual([])
})

/** Opens the labels `lab, old` of a board that has `now` on the server; the first `lost` answers to changes are lost. */
async function open(now: string[], lost = 0) {
  const sent: unknown[] = []
  const app = await createTestApp({
    areas: textsOf('/admin/devices/:id'),
    server: ({ method, body }) => {
      if (method !== 'patch') return { data: boardRecord({ labels: now }) }
      sent.push(JSON.parse(typeof body === 'string' ? body : ''))
      return sent.length <= lost ? Promise.reject(networkError(null)) : { data: boardRecord() }
    }
  })
  app.show(<LabelsDialog device={boardRecord({ labels: ['lab', 'old'] })} onClose={() => {}} />)
  const save = async (typed: string) => {
    const tries = sent.length
    fireEvent.input(screen.getByRole('textbox'), { target: { value: typed } })
    fireEvent.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(sent).toHaveLength(tries + 1))
    await waitFor(() => expect(screen.getByRole('textbox').closest('[inert]')).toBeNull())
  }
  return { sent, save }
}

test('labels that somebody else added or removed meanwhile stay so, and one that both added is there once', async () => {
  const { sent, save } = await open(['old', 'attic'])
  await save('lab, hotel, attic')
  expect(sent).toEqual([{ labels: ['attic', 'hotel'] }])
})

test('a label that is typed away after a try without an answer is not left as that try set it', async () => {
  const { sent, save } = await open(['lab', 'old', 'hotle'], 1)
  await save('lab, old, hotle')
  await save('lab, old')
  expect(sent[1]).toEqual({ labels: ['lab', 'old'] })
})
