import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'

export interface TabItem {
  value: string
  label: string
  content: ReactNode
}

/** Views of one thing, one at a time. Arrow keys move between them. */
export function Tabs({
  items,
  value,
  onChange,
  label
}: {
  items: readonly TabItem[]
  value: string
  onChange: (value: string) => void
  label: string
}) {
  return (
    <Base.Root value={value} onValueChange={(next) => onChange(String(next))}>
      <Base.List aria-label={label} className="relative flex gap-1 overflow-x-auto border-b border-line">
        {items.map((item) => (
          <Base.Tab
            key={item.value}
            value={item.value}
            className="min-h-11 px-4 text-14 font-medium whitespace-nowrap text-ink-3 transition-colors duration-160 hover:text-ink data-active:text-ink"
          >
            {item.label}
          </Base.Tab>
        ))}
        <Base.Indicator className="absolute bottom-0 left-(--active-tab-left) h-0.5 w-(--active-tab-width) rounded-full bg-accent transition-[left,width] duration-240 ease-out" />
      </Base.List>
      {items.map((item) => (
        <Base.Panel key={item.value} value={item.value} className="pt-4 outline-none">
          {item.content}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}
