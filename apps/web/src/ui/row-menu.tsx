import { ArrowUpRight, Pencil, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useText } from '#web/lib/i18n/use-text.ts'
import { MenuItem, MenuSeparator } from './menu.tsx'

export interface RowMenuProps {
  onView?: () => void
  /** Left out for those who may only look. */
  onEdit?: (() => void) | undefined
  onDelete?: (() => void) | undefined
  /** What else can be done, between Edit and Delete. */
  children?: ReactNode
}

/** A row's menu, in the same order everywhere; Delete stands apart. */
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
