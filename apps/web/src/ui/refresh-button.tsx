import { RotateCw } from 'lucide-react'
import { useText } from '#web/lib/i18n/use-text.ts'
import { Button, type ButtonProps } from './button.tsx'

/** Refetches the data of a staff page. */
export function RefreshButton(props: Omit<ButtonProps, 'children' | 'className'>) {
  const t = useText()
  return (
    <Button variant="ghost" {...props} className="text-14 font-medium">
      <RotateCw aria-hidden="true" size={18} />
      <span className="max-sm:sr-only">{t('table.refresh')}</span>
    </Button>
  )
}
