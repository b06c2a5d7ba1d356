import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { RecordPicker, type PickerItem } from './record-picker.tsx'

test('Escape in a closed picker keeps the chosen record, and reaches the dialog around it', () => {
  const lamp = { value: '1', label: 'Lamp' }
  const onChange = vi.fn<(item: PickerItem | null) => void>()
  const onType = vi.fn<(typed: string) => void>()
  const onKeyDown = vi.fn<() => void>()
  render(
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- stands for the dialog, which listens to Escape
    <div onKeyDown={onKeyDown}>
      <RecordPicker
        label="Switch"
        value={lamp}
        onChange={onChange}
        items={[lamp]}
        typed="Lamp"
        onType={onType}
        status=""
      />
    </div>
  )
  fireEvent.keyDown(screen.getByLabelText('Switch'), { key: 'Escape' })
  expect(onChange).not.toHaveBeenCalled()
  expect(onType).not.toHaveBeenCalled()
  expect(onKeyDown).toHaveBeenCalledOnce()
})
