import { Combobox } from '@base-ui/react/combobox'
import { Check } from 'lucide-react'
import { useRef } from 'react'
import { BackCloses } from '../overlays/back-closes.tsx'
import { controlClass, Field, useFieldControl } from './field.tsx'

export interface PickerItem {
  value: string
  label: string
  /** Distinguishes two records with the same name. */
  more?: string
}

export interface RecordPickerProps {
  label: string
  value: PickerItem | null
  onChange: (item: PickerItem | null) => void
  items: readonly PickerItem[]
  typed: string
  onType: (typed: string) => void
  /** Shown in an empty list: how to continue, or what failed. */
  status: string
  placeholder?: string
  error?: string | undefined
}

/** Picks one of many records; the server searches for the typed text. */
export function RecordPicker({ error, ...box }: RecordPickerProps) {
  return (
    <Field label={box.label} error={error}>
      <Box {...box} />
    </Field>
  )
}

function Box(props: Omit<RecordPickerProps, 'error'>) {
  const { value, onChange, items, typed, onType, status, placeholder = '' } = props
  const control = useFieldControl()
  const actions = useRef<Combobox.Root.Actions>(null)
  return (
    <Combobox.Root
      actionsRef={actions}
      items={items}
      value={value}
      onValueChange={(item) => onChange(item)}
      inputValue={typed}
      onInputValueChange={(text) => onType(text)}
      itemToStringLabel={({ label }) => label}
      isItemEqualToValue={(one, other) => one.value === other.value}
      filter={null}
    >
      <Combobox.Input
        {...control}
        // An open list hides the label, like all around it, from screen readers.
        aria-label={props.label}
        placeholder={placeholder}
        // Escape closes the list, then the dialog, which asks; the library would clear the chosen record.
        onKeyDown={(event) => {
          if (event.key === 'Escape' && event.currentTarget.ariaExpanded !== 'true') event.preventBaseUIHandler()
        }}
        className={controlClass}
      />
      <Combobox.Portal>
        <Combobox.Positioner className="z-60" sideOffset={6} align="start">
          <Combobox.Popup className="max-h-(--available-height) w-(--anchor-width) overflow-y-auto rounded-2xl border border-line bg-raised p-1.5 shadow-float outline-none">
            <BackCloses popup={actions} />
            <Combobox.Status className="px-3 text-14 text-ink-3 not-empty:py-2">{status}</Combobox.Status>
            <Combobox.List>
              {(item: PickerItem) => (
                <Combobox.Item
                  key={item.value}
                  value={item}
                  className="flex min-h-11 cursor-default items-center gap-3 rounded-xl px-3 py-1.5 outline-none select-none data-highlighted:bg-well"
                >
                  <span className="min-w-0 flex-1 wrap-anywhere">
                    {item.label}
                    {item.more !== undefined && <span className="block text-12 text-ink-3">{item.more}</span>}
                  </span>
                  <Combobox.ItemIndicator className="text-accent">
                    <Check size={18} />
                  </Combobox.ItemIndicator>
                </Combobox.Item>
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  )
}
