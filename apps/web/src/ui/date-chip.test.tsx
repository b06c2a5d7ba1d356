import { readFileSync } from 'node:fs'
import { join } from 'node:path'
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

test('Safari, which shows today in an empty field, shows nothing there until the field is used', () => {
  const { field, type } = open()
  const styles = readFileSync(join(import.meta.dirname, '../styles/index.css'), 'utf8')
  const hidden = /-apple-system-body\) {\s*(.*)::-webkit-datetime-edit/.exec(styles)?.[1] ?? ''
  expect(field.matches(hidden)).toBe(true)
  field.focus()
  expect(field.matches(hidden)).toBe(false)
  type('2026-11-15')
  field.blur()
  expect(field.matches(hidden)).toBe(false)
  type('')
  expect(field.matches(hidden)).toBe(true)
})
