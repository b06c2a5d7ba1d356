import type { UserRecord } from '@batti/contracts'
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
import { useServices, useUser } from '#web/lib/services.ts'
import { HelpSection, LookSection, SessionsSection } from '#web/routes/parts/settings-sections.tsx'

/** The open dialog is kept in the address, so that the header's menu can open one. */
function useOpenAction(): [ProfileAction | null, (action: ProfileAction | null) => void] {
  const [params, setParams] = useSearchParams()
  const wanted = params.get('action')
  const open = profileActions.find((action) => action === wanted) ?? null
  return [open, (action) => setParams(action === null ? {} : { action }, { replace: true })]
}

/** /user/profile, /admin/profile, /monitor/profile: the account and all settings of this person. */
export function Screen() {
  const t = useText()
  const { logError } = useServices()
  const user = useUser()
  const { data: account, error } = useAccount()
  const [action, setAction] = useOpenAction()
  // A failed load is only logged; the screen stays as it is.
  useEffect(() => {
    if (error !== null) logError(error)
  }, [error, logError])

  return (
    <Page title={t('shell.profile')}>
      <div className="grid max-w-240 grid-cols-1 items-start gap-4 lg:grid-cols-[16rem_minmax(0,1fr)]">
        {account === undefined ? (
          <>
            <output className="block text-ink-2">{t('profile.loading')}</output>
            <Skeleton className="h-96 rounded-card" />
          </>
        ) : (
          <>
            <ProfileSideMenu account={account} sessionsPath={`/${account.role}/sessions`} onChoose={setAction} />
            <ProfileOverview account={account} />
            <OpenDialog action={action} account={account} onClose={() => setAction(null)} />
          </>
        )}
        <div className="mt-4 grid grid-cols-1 gap-8 lg:col-start-2">
          <LookSection />
          {user !== null && <SessionsSection path={`/${user.role}/sessions`} />}
          <HelpSection />
        </div>
      </div>
    </Page>
  )
}

interface OpenDialogProps {
  action: ProfileAction | null
  account: UserRecord
  onClose: () => void
}

function OpenDialog({ action, account, onClose }: OpenDialogProps) {
  const dialog = { account, onClose }
  switch (action) {
    case 'edit':
      return <EditProfileDialog {...dialog} />
    case 'change-password':
      return <ChangePasswordDialog onClose={onClose} />
    case 'verify-email':
      return <VerifyContactDialog key="email" contact="email" {...dialog} />
    case 'verify-phone':
      return <VerifyContactDialog key="phone" contact="phone" {...dialog} />
    case 'delete':
      return <DeleteAccountDialog onClose={onClose} />
    case null:
      return null
  }
}
