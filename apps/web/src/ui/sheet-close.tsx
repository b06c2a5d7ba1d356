import { Dialog } from '@base-ui/react/dialog'
import { useText } from '#web/lib/i18n/use-text.ts'
import { Button } from './button.tsx'

/** In a sheet's footer: closes it as its cross does, so that typed text is not lost without asking. */
export function SheetClose({ label }: { label?: string }) {
  const t = useText()
  return <Dialog.Close render={<Button variant="quiet" />}>{label ?? t('common.cancel')}</Dialog.Close>
}
