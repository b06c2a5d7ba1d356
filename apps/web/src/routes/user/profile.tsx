import { useEffect } from 'react'
import { useSearchParams } from 'react-router-dom'
import { Page } from '#web/ui/page.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useAccount } from '#web/features/accounts/api/get-account.ts'
import { ChangePasswordDialog } from '#web/features/accounts/components/change-password-dialog.tsx'
import { DeleteAccountDialog } from '#web/features/accounts/components/delete-account-dialog.tsx'
import { EditProfileDialog } from '#web/features/accounts/components/edit-profile-dialog.tsx'
import { ProfileOverview } from '#web/features/accounts/components/profile-overview.tsx'
import {
  ProfileSideMenu,
  profileActions,
  type ProfileAction
} from '#web/features/accounts/components/profile-side-menu.tsx'
import { VerifyContactDialog } from '#web/features/accounts/components/verify-contact-dialog.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useServices } from '#web/lib/services.ts'

/** The open modal stands in the address, so that a phone's back button closes it and the header's menu can open one. */
function useOpenAction(): [ProfileAction | null, (action: ProfileAction | null) => void] {
  const [params, setParams] = useSearchParams()
  const wanted = params.get('action')
  const open = profileActions.find((action) => action === wanted) ?? null
  return [open, (action) => setParams(action === null ? {} : { action }, { replace: action === null })]
}

/** /user/profile, /admin/profile, /monitor/profile */
export function Screen() {
  const t = useText()
  const { logError } = useServices()
  const { data: account, error } = useAccount()
  const [action, setAction] = useOpenAction()
  // A failure to load is only logged; the screen stays as it is.
  useEffect(() => {
    if (error !== null) logError(error)
  }, [error, logError])
  const close = () => setAction(null)

  return (
    <Page title={t('profile.title')}>
      {account === undefined ? (
        <div className="grid gap-4">
          <output className="block text-ink-2">{t('profile.loading')}</output>
          <Skeleton className="h-96 rounded-card" />
        </div>
      ) : (
        <div className="grid max-w-240 items-start gap-4 lg:grid-cols-[16rem_1fr]">
          <ProfileSideMenu account={account} sessionsPath={`/${account.role}/sessions`} onChoose={setAction} />
          <ProfileOverview account={account} />
          {action === 'edit' && <EditProfileDialog account={account} onClose={close} />}
          {action === 'change-password' && <ChangePasswordDialog onClose={close} />}
          {action === 'verify-email' && (
            <VerifyContactDialog contact="email" account={account} onClose={close} onVerified={reload} />
          )}
          {action === 'verify-phone' && (
            <VerifyContactDialog contact="phone" account={account} onClose={close} onVerified={reload} />
          )}
          {action === 'delete' && <DeleteAccountDialog onClose={close} />}
        </div>
      )}
    </Page>
  )
}

/** The modal closes and the page reloads. */
function reload() {
  window.location.replace(window.location.pathname)
}
