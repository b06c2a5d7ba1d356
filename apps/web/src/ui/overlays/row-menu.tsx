import { ArrowUpRight, Pencil, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useText } from '#web/lib/i18n/use-text.ts'
import { MenuItem, MenuSeparator } from './menu.tsx'

export interface RowMenuProps {
  onView?: () => void
  /** Left out for people who may only view. */
  onEdit?: (() => void) | undefined
  onDelete?: (() => void) | undefined
  /** Further items, between Edit and Delete. */
  children?: ReactNode
}

/** The menu of a row, in the same order everywhere; Delete is separated. */
export function RowMenu({ onView, onEdit, onDelete, children }: RowMenuProps) {
  const t = useText()
  return (
    <>
      {onView && (
        <MenuItem icon={<ArrowUpRight size={18} />} onSelect={onView}>
          {t('table.view')}
        </MenuItem>
      )}
      {onEdit && (
        <MenuItem icon={<Pencil size={18} />} onSelect={onEdit}>
          {t('table.edit')}
        </MenuItem>
      )}
      {children}
      {onDelete && (
        <>
          <MenuSeparator />
          <MenuItem tone="danger" icon={<Trash2 size={18} />} onSelect={onDelete}>
            {t('table.delete')}
          </MenuItem>
        </>
      )}
    </>
  )
}
