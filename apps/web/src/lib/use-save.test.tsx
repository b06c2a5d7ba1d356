import { ApiError } from '@batti/client/api-error'
import { networkError } from '@batti/client/transport'
import { deleteRoom } from '@batti/contracts'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { Link, Route, Routes, useNavigate } from 'react-router-dom'
import { toast } from 'react-hot-toast'
import { afterEach, expect, test, vi } from 'vitest'
import { notify } from './notify.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { ToastTexts } from '#web/test/toast-texts.tsx'
import { useServices } from './services.ts'
import { useSave } from './use-save.ts'

afterEach(() => act(() => toast.remove()))

async function open() {
  const app = await createTestApp()
  let answer = () => {}
  let left: unknown
  function Form() {
    const navigate = useNavigate()
    const { save } = useSave(() => new Promise<void>((resolve) => (answer = resolve)), {
      failed: 'No',
      after: () => void navigate('/saved')
    })
    return (
      <>
        <button type="button" onClick={() => void save().then((isDone) => (left = isDone))}>
          Save
        </button>
        <Link to="/logs">Logs</Link>
      </>
    )
  }
  app.show(
    <Routes>
      <Route path="/" element={<Form />} />
      <Route path="/saved" element="The saved one" />
      <Route path="/logs" element="The logs" />
    </Routes>
  )
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  return { answer: () => answer(), said: () => left }
}

test('a successful save continues to the next page', async () => {
  const { answer } = await open()
  answer()
  await screen.findByText('The saved one')
})

test('an answer that comes after the page was left leads nowhere', async () => {
  const { answer, said } = await open()
  fireEvent.click(screen.getByRole('link', { name: 'Logs' }))
  answer()
  await waitFor(() => expect(said()).toBe(false))
  screen.getByText('The logs')
})

const mayBeDone = 'No answer came. It may have been done all the same: look before you try again.'
const notSent = 'Not connected. Nothing was sent; try again when the connection is back.'

test('a change without an answer is given up, and may have been made', async () => {
  const app = await createTestApp({ server: () => new Promise(() => undefined) })
  const shown: string[] = []
  const noted = vi.spyOn(notify, 'info')
  function Form() {
    const { api } = useServices()
    const { save, isSaving } = useSave(() => api.call(deleteRoom, { params: { id: 'r' } }), {
      failed: 'No',
      onRefused: (message) => shown.push(message)
    })
    return (
      <button type="button" onClick={() => void save()}>
        {isSaving ? 'Saving' : 'Save'}
      </button>
    )
  }
  app.show(<Form />)
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(app.requests).toHaveLength(1))
  act(() => app.clock.advance(29_999))
  screen.getByRole('button', { name: 'Saving' })
  act(() => app.clock.advance(1))
  await screen.findByRole('button', { name: 'Save' })
  expect(shown).toEqual(['No'])
  expect(noted.mock.calls).toEqual([[mayBeDone]])
})

test.each([
  ['a change whose answer was lost may have been made', networkError(null), false, [[mayBeDone]]],
  ['a change that never left for want of a network was not made', new ApiError('UNSENT', 'No.'), false, [[notSent]]],
  ['a read that never left says so', new ApiError('UNSENT', 'No.'), true, [[notSent]]],
  ['a read without an answer has done nothing', networkError(null), true, []],
  ['a change that the server refused was not made', new ApiError('CONFLICT', 'Busy.', { status: 409 }), false, []]
])('%s', async (_, fault, isRead, hints) => {
  const app = await createTestApp()
  const failed = vi.spyOn(notify, 'error')
  const noted = vi.spyOn(notify, 'info')
  let saved: unknown
  function Form() {
    const { save } = useSave(() => Promise.reject(fault), { failed: 'No', isRead })
    return (
      <button type="button" onClick={() => void (saved = save())}>
        Save
      </button>
    )
  }
  app.show(<Form />)
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await act(async () => saved)
  expect(failed).toHaveBeenCalledOnce()
  expect(noted.mock.calls).toEqual(hints)
})

test('changes of different records run beside each other; a second press for the same record is ignored', async () => {
  const app = await createTestApp()
  const sent: string[] = []
  function Rows() {
    const { save, isSaving } = useSave(
      (row: string) => {
        sent.push(row)
        return new Promise<void>(() => undefined)
      },
      { failed: 'No', recordOf: (row) => row }
    )
    return ['a', 'b'].map((row) => (
      <button key={row} type="button" aria-busy={isSaving} onClick={() => void save(row)}>
        {row}
      </button>
    ))
  }
  app.show(<Rows />)
  for (const name of ['a', 'b', 'a', 'b']) fireEvent.click(screen.getByRole('button', { name }))
  expect(sent).toEqual(['a', 'b'])
  expect(screen.getAllByRole('button', { busy: true })).toHaveLength(2)
})

test('a success takes away what was said of the failed try of that record, and of no other', async () => {
  const app = await createTestApp()
  const isLost = new Set(['a', 'b'])
  function Rows() {
    const { save } = useSave(
      async (row: string) => {
        if (isLost.delete(row))
          throw row === 'a' ? networkError(null) : new ApiError('CONFLICT', 'Busy.', { status: 409 })
      },
      { done: 'Saved', failed: 'No', recordOf: (row) => row }
    )
    return (
      <>
        {['a', 'b'].map((row) => (
          <button key={row} type="button" onClick={() => void save(row)}>
            {row}
          </button>
        ))}
        <output>
          <ToastTexts />
        </output>
      </>
    )
  }
  app.show(<Rows />)
  const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
  const told = () => screen.getByRole('status').textContent
  press('b')
  await waitFor(() => expect(told()).toBe('Busy.'))
  press('a')
  await waitFor(() => expect(told()).toBe(`No${mayBeDone}Busy.`))
  press('a')
  await waitFor(() => expect(told()).toBe('SavedBusy.'))
})

test('a change that a row’s menu started says that it is running, if its answer is slow', async () => {
  const app = await createTestApp()
  let answer = () => {}
  function Row() {
    const { save } = useSave((_row: string) => new Promise<void>((resolve) => (answer = resolve)), {
      done: 'Saved',
      failed: 'No',
      recordOf: (row) => row
    })
    return (
      <>
        <button type="button" onClick={() => void save('a')}>
          a
        </button>
        <output>
          <ToastTexts />
        </output>
      </>
    )
  }
  app.show(<Row />)
  const told = () => screen.getByRole('status').textContent
  fireEvent.click(screen.getByRole('button', { name: 'a' }))
  act(() => app.clock.advance(250))
  await waitFor(() => expect(told()).toBe('Saving...'))
  await act(async () => answer())
  await waitFor(() => expect(told()).toBe('Saved'))
  fireEvent.click(screen.getByRole('button', { name: 'a' }))
  await act(async () => answer())
  act(() => app.clock.advance(250))
  await waitFor(() => expect(told()).toBe('Saved'))
})
