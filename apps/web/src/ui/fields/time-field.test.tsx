import { fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { createTestApp } from '#web/test/test-app.tsx'
import { TimeField } from './time-field.tsx'

function Example({ first }: { first: string }) {
  const [time, setTime] = useState(first)
  return (
    <>
      <TimeField label="Start" value={time} onChange={setTime} />
      <output>{time}</output>
    </>
  )
}
async function show(first = '') {
  const app = await createTestApp()
  app.show(<Example first={first} />)
  const input = screen.getByLabelText<HTMLInputElement>('Start')
  return {
    input,
    type: (text: string) => fireEvent.change(input, { target: { value: text } }),
    press: (key: string) => fireEvent.keyDown(input, { key }),
    value: () => screen.getByRole('status').textContent
  }
}

test("is not the browser’s own time field, whose clock format follows the system, and shows a phone's number pad", async () => {
  const { input } = await show('18:30')
  expect(input.type).toBe('text')
  expect(input.inputMode).toBe('numeric')
  expect(input.value).toBe('18:30')
})

test('an hour alone is completed when the field is left, or the form is sent by Enter', async () => {
  const { input, type, press, value } = await show()
  type('7')
  expect(value()).toBe('')
  fireEvent.blur(input)
  expect(value()).toBe('07:00')
  expect(input.value).toBe('07:00')
  type('07:0')
  type('9')
  press('Enter')
  expect(value()).toBe('09:00')
})

test('an invalid time is kept, reported when the field is left, and counts as none', async () => {
  const { input, type, value } = await show('18:30')
  type('18:3')
  expect(screen.queryByRole('alert')).toBeNull()
  fireEvent.blur(input)
  expect(screen.getByRole('alert').textContent).toBe('Please write a time from 00:00 to 23:59, such as 18:30.')
  expect(input.getAttribute('aria-invalid')).toBe('true')
  expect(input.value).toBe('18:3')
  expect(value()).toBe('')
  type('18:35')
  expect(screen.queryByRole('alert')).toBeNull()
  expect(value()).toBe('18:35')
})

test('arrow keys change the part at the caret, and keep it selected', async () => {
  const { input, press, value } = await show('23:30')
  input.setSelectionRange(1, 1)
  press('ArrowUp')
  expect(value()).toBe('00:30')
  expect([input.selectionStart, input.selectionEnd]).toEqual([0, 2])
  input.setSelectionRange(5, 5)
  press('ArrowDown')
  expect(value()).toBe('00:29')
  expect([input.selectionStart, input.selectionEnd]).toEqual([3, 5])
})
