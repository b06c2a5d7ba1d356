import type { UserRecord } from '@batti/contracts'
import { DialogSheet } from '#web/ui/overlays/dialog-sheet.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import type { Contact } from '#web/features/accounts/api/request-code.ts'
import { VerifyContactPanel } from './verify-contact-panel.tsx'

/** The two steps as a dialog of the profile. */
export function VerifyContactDialog({
  contact,
  account,
  onClose
}: {
  contact: Contact
  account: UserRecord
  onClose: () => void
}) {
  const t = useText()
  const address = account[contact] ?? ''
  return (
    <DialogSheet
      isOpen
      onClose={onClose}
      title={t(contact === 'email' ? 'profile.verifyEmail' : 'profile.verifyPhone')}
    >
      {address === '' ? (
        <p className="pt-2 text-ink-2">{t('contact.noPhone')}</p>
      ) : (
        <VerifyContactPanel contact={contact} address={address} onVerified={reload} />
      )}
    </DialogSheet>
  )
}

/** Closes the dialog by reloading the page without its query. */
function reload() {
  window.location.replace(window.location.pathname)
}
