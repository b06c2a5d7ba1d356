import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { DateChip } from './date-chip.tsx'

function open() {
  const chosen: string[] = []
  function Filter() {
    const [date, setDate] = useState('')
    return (
      <DateChip
        label="From"
        value={date}
        onChange={(next) => {
          chosen.push(next)
          setDate(next)
        }}
      />
    )
  }
  render(<Filter />)
  const field = screen.getByLabelText<HTMLInputElement>('From')
  return { chosen, field, type: (value: string) => fireEvent.change(field, { target: { value } }) }
}

test('a date that is typed filters by its whole year only', () => {
  const { chosen, field, type } = open()
  for (const date of ['0002-11-15', '0020-11-15', '0202-11-15']) {
    type(date)
    expect(field.value).toBe(date)
  }
  expect(chosen).toEqual([])
  type('2026-11-15')
  type('')
  expect(chosen).toEqual(['2026-11-15', ''])
})

test('a year that is left unfinished is dropped', () => {
  const { chosen, field, type } = open()
  type('2026-11-15')
  type('0020-11-15')
  fireEvent.blur(field)
  expect(field.value).toBe('2026-11-15')
  expect(chosen).toEqual(['2026-11-15'])
})
