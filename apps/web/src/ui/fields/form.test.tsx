import { act, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { Form } from './form.tsx'
import { TextField } from './text-field.tsx'

/** A form whose second and third field are wrong, at once or when the server says so. */
function Example({ refusal }: { refusal?: Promise<void> }) {
  const [error, setError] = useState<string>()
  const submit = async (event: React.FormEvent) => {
    event.preventDefault()
    await refusal
    setError('Not this one.')
  }
  return (
    <Form isSaving={false} onSubmit={(event) => void submit(event)}>
      <TextField label="Name" />
      <TextField label="Phone" error={error} />
      <TextField label="Address" isWrong={error !== undefined} />
      <button type="submit">Save</button>
    </Form>
  )
}

const save = () => act(async () => fireEvent.click(screen.getByRole('button', { name: 'Save' })))
const focused = () => document.activeElement?.closest('div[class]')?.parentElement?.querySelector('label')?.textContent

test('the first wrong field has the focus after each submit', async () => {
  render(<Example />)
  for (const attempt of [1, 2]) {
    screen.getByRole('button', { name: 'Save' }).focus()
    await save()
    expect(focused(), `attempt ${attempt}`).toBe('Phone')
  }
})

test('a field that the server refuses gets the focus when the answer comes', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  render(<Example refusal={promise} />)
  screen.getByRole('button', { name: 'Save' }).focus()
  await save()
  expect(document.activeElement?.textContent).toBe('Save')
  await act(async () => resolve())
  expect(focused()).toBe('Phone')
})

test('a refusal takes the focus from nobody who types on', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  render(<Example refusal={promise} />)
  await save()
  screen.getByLabelText('Address').focus()
  fireEvent.input(screen.getByLabelText('Address'), { target: { value: 'Patan' } })
  await act(async () => resolve())
  expect(focused()).toBe('Address')
})

test('while it saves nothing can be typed, and the focus returns to its field afterwards', () => {
  const formOf = (isSaving: boolean) => (
    <Form isSaving={isSaving}>
      <TextField label="Name" />
    </Form>
  )
  const { rerender } = render(formOf(false))
  const name = screen.getByLabelText('Name')
  name.focus()
  rerender(formOf(true))
  expect(name.closest('[inert]')).not.toBeNull()
  expect(document.activeElement).toBe(name.closest('form'))
  rerender(formOf(false))
  expect(name.closest('[inert]')).toBeNull()
  expect(document.activeElement).toBe(name)
})

test('a field that is refused again gets the focus again', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  function Refused() {
    const [isSaving, setSaving] = useState(false)
    const submit = async (event: React.FormEvent) => {
      event.preventDefault()
      setSaving(true)
      await promise
      setSaving(false)
    }
    return (
      <Form isSaving={isSaving} onSubmit={(event) => void submit(event)}>
        <TextField label="Name" error="Not this one." />
        <button type="submit">Save</button>
      </Form>
    )
  }
  render(<Refused />)
  const button = screen.getByRole('button', { name: 'Save' })
  button.focus()
  await save()
  expect(document.activeElement).toBe(button.closest('form'))
  await act(async () => resolve())
  expect(focused()).toBe('Name')
})
