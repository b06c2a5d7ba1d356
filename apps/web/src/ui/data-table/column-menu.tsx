import { ArrowDown, ArrowUp, Columns3 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Popover } from '#web/ui/overlays/popover.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { menuOrder, type Column } from './columns.ts'

export interface ColumnMenuProps<Row> {
  columns: readonly Column<Row>[]
  shown: readonly Column<Row>[]
  /** Receives the chosen columns in order, without the first, which is always shown; null for the default columns. */
  onChange: (chosen: readonly string[] | null) => void
}

/** Shows, hides and orders columns. */
export function ColumnMenu<Row>({ columns, shown, onChange }: ColumnMenuProps<Row>) {
  const t = useText()
  const [first] = columns
  const chosen = shown.filter((column) => column !== first).map(({ id }) => id)
  const [moved, setMoved] = useState('')
  const move = ({ id, label }: Column<Row>, by: number) => {
    const from = chosen.indexOf(id)
    const next = chosen.filter((other) => other !== id)
    next.splice(from + by, 0, id)
    onChange(next)
    setMoved(t('table.placeOf', { name: t(label), place: from + by + 1, count: next.length }))
  }
  return (
    <Popover
      title={t('table.columnsShown')}
      trigger={
        <Button variant="quiet" className="text-14 font-medium">
          <Columns3 aria-hidden="true" size={18} />
          {t('table.columns')}
        </Button>
      }
    >
      <ul className="min-w-64">
        {menuOrder(columns, shown)
          .filter((column) => column !== first)
          .map((column) => {
            const place = chosen.indexOf(column.id)
            const name = t(column.label)
            return (
              <li key={column.id} className="flex min-h-11 items-center gap-3 pl-3">
                <Checkbox
                  isChecked={place >= 0}
                  label={name}
                  onChange={() =>
                    onChange(place >= 0 ? chosen.filter((id) => id !== column.id) : [...chosen, column.id])
                  }
                />
                <span aria-hidden="true" className="flex-1 text-14">
                  {name}
                </span>
                <IconButton
                  label={t('table.moveUp', { name })}
                  icon={<ArrowUp size={16} />}
                  isLocked={place <= 0}
                  onClick={() => move(column, -1)}
                />
                <IconButton
                  label={t('table.moveDown', { name })}
                  icon={<ArrowDown size={16} />}
                  isLocked={place < 0 || place === chosen.length - 1}
                  onClick={() => move(column, 1)}
                />
              </li>
            )
          })}
      </ul>
      <VisuallyHidden live="polite">{moved}</VisuallyHidden>
      <Button variant="ghost" className="mt-1 w-full text-14" onClick={() => onChange(null)}>
        {t('table.asItWas')}
      </Button>
    </Popover>
  )
}
