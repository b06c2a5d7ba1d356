import { fireEvent, screen } from '@testing-library/react'
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
