import { fireEvent, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { Button } from '#web/ui/button.tsx'
import { RecordPicker } from '#web/ui/fields/record-picker.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { FilterChip } from '#web/ui/filter-chip.tsx'
import { createTestApp } from '#web/test/test-app.tsx'
import { DialogSheet } from './dialog-sheet.tsx'
import { Menu, MenuItem } from './menu.tsx'
import { Popover } from './popover.tsx'

/** A panel whose owner opens and closes it. */
function OwnedPanel() {
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover title="Model" isOpen={isOpen} onOpenChange={setOpen} trigger={<Button>Model</Button>}>
      <input />
    </Popover>
  )
}

const choices = [
  { value: 'any', label: 'Any' },
  { value: 'one', label: 'One' }
]

const popups = [
  [
    'a menu',
    'menuitem',
    <Menu key="menu" trigger={<Button>Model</Button>}>
      <MenuItem>Delete</MenuItem>
    </Menu>
  ],
  ['a filter', 'menuitemradio', <FilterChip key="chip" label="Model" value="" choices={choices} onChange={() => {}} />],
  ['a list box', 'option', <Select key="select" label="Model" value="any" choices={choices} onChange={() => {}} />],
  [
    'a panel',
    'textbox',
    <Popover key="panel" title="Model" trigger={<Button>Model</Button>}>
      <input />
    </Popover>
  ],
  ['a panel that its owner closes', 'textbox', <OwnedPanel key="owned" />],
  [
    'the list of a picker',
    'option',
    <RecordPicker
      key="picker"
      label="Model"
      value={null}
      onChange={() => {}}
      items={choices}
      typed=""
      onType={() => {}}
      status=""
    />
  ]
] as const

async function open(role: (typeof popups)[number][1]): Promise<{ opener: HTMLElement; inside: HTMLElement }> {
  const opener = screen.getByRole(role === 'option' ? 'combobox' : 'button', { name: /^Model/ })
  if (role === 'option') fireEvent.keyDown(opener, { key: 'ArrowDown' })
  else fireEvent.click(opener)
  const [first = opener] = await screen.findAllByRole(role)
  // While its list is open, the focus stays in a picker's field.
  const inside = opener instanceof HTMLInputElement ? opener : first
  inside.focus()
  return { opener, inside }
}

test.each(popups)(
  'after Escape in %s the next key reaches its button, not what is closing',
  async (_what, role, popup) => {
    const app = await createTestApp()
    app.show(popup)
    const { opener, inside } = await open(role)
    fireEvent.keyDown(inside, { key: 'Escape' })
    expect(document.activeElement).toBe(opener)
  }
)

test.each([
  ['that it loads', { placeholder: 'Loading...' }, 'Loading...'],
  ['why there are none', { placeholder: 'Choose', hint: 'No file is released.' }, 'No file is released.'],
  ['what failed', { placeholder: 'Choose', error: 'Failed to load files' }, 'Failed to load files']
])('a list box without choices says %s', async (_what, texts, said) => {
  const app = await createTestApp()
  app.show(<Select label="Model" value="" choices={[]} onChange={() => {}} {...texts} />)
  fireEvent.keyDown(screen.getByRole('combobox', { name: 'Model' }), { key: 'ArrowDown' })
  expect((await screen.findByRole('status')).textContent).toBe(said)
})

test.each(popups)('what %s offers is whole, however long', async (_what, role, popup) => {
  const app = await createTestApp()
  app.show(popup)
  await open(role)
  expect(screen.getAllByRole(role).filter((one) => one.querySelector('.truncate') !== null)).toEqual([])
})

test.each(popups)('Back closes %s, its button has the focus, and what is below stays', async (_what, role, popup) => {
  const onClose = vi.fn<() => void>()
  const app = await createTestApp()
  app.showInBrowser(
    <DialogSheet isOpen onClose={onClose} title="Board">
      {popup}
    </DialogSheet>
  )
  const { opener } = await open(role)
  window.history.back()
  await waitFor(() => expect(screen.queryByRole(role)).toBeNull())
  await waitFor(() => expect(document.activeElement).toBe(opener))
  expect(onClose).not.toHaveBeenCalled()
  window.history.back()
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
})
