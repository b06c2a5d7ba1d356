import type { UserRecord } from '@batti/contracts'
import { useState } from 'react'
import { DialogSheet } from '#web/ui/overlays/dialog-sheet.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { isContactVerified } from '#web/features/accounts/api/is-verified.ts'
import type { Contact } from '#web/features/accounts/api/request-code.ts'
import { VerifyContactPanel } from './verify-contact-panel.tsx'

/** The two steps as a dialog of the profile; nothing where it opens for a verified contact, as by an old link. */
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
  const [isNeeded] = useState(!isContactVerified(account, contact))
  if (!isNeeded) return null
  return (
    <DialogSheet
      isOpen
      onClose={onClose}
      title={t(contact === 'email' ? 'profile.verifyEmail' : 'profile.verifyPhone')}
    >
      {account[contact] === null ? (
        <p className="pt-2 text-ink-2">{t('contact.noPhone')}</p>
      ) : (
        <VerifyContactPanel contact={contact} account={account} onVerified={reload} />
      )}
    </DialogSheet>
  )
}

/** Closes the dialog by reloading the page without its query. */
function reload() {
  window.location.replace(window.location.pathname)
}
