import { Dialog } from '@base-ui/react/dialog'
import { useText } from '#web/lib/i18n/use-text.ts'
import { Button } from '../button.tsx'

/** A close button for a sheet's footer: like the sheet's cross, it asks before unsaved text is lost. */
export function SheetClose({ label }: { label?: string }) {
  const t = useText()
  return <Dialog.Close render={<Button variant="quiet" />}>{label ?? t('common.cancel')}</Dialog.Close>
}
