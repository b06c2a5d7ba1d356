import { CircleHelp, KeyRound, LogOut, Plus, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { Link } from 'react-router-dom'
import { DialogSheet } from '#web/ui/overlays/dialog-sheet.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import type { SessionUser } from '#web/lib/session/session-user.ts'
import { changePasswordPathOf } from './nav-links.ts'
import { PageLinks } from './page-links.tsx'
import { useLogout } from './use-logout.ts'

const rowClass =
  '-mx-2 flex min-h-12 items-center gap-2.5 rounded-control px-2 text-left text-14 text-ink-2 hover:bg-well/60 hover:text-ink'

/** Everything that does not fit into the bottom bar. */
export function MoreSheet({ user, isOpen, onClose }: { user: SessionUser; isOpen: boolean; onClose: () => void }) {
  const t = useText()
  const logout = useLogout()
  const passwordPath = changePasswordPathOf(user.role)
  // Closed before the page changes: an open sheet would take the focus back from it.
  const follow = () => flushSync(onClose)
  return (
    <DialogSheet isOpen={isOpen} onClose={onClose} title={t('shell.menuOfPages')}>
      <div className="grid gap-4">
        <PageLinks user={user} look="sheet" onFollow={follow} />
        <ul className="grid grid-cols-2 gap-x-6 border-t border-line pt-2">
          {user.role === 'user' && (
            <li>
              {/* Loads the whole document: only then does the setup page's own security policy apply. */}
              <Link to="/user/devices/new" reloadDocument className={rowClass}>
                <Row icon={Plus}>{t('shell.newDevice')}</Row>
              </Link>
            </li>
          )}
          <li>
            <Link to="/support" onClick={follow} className={rowClass}>
              <Row icon={CircleHelp}>{t('shell.help')}</Row>
            </Link>
          </li>
          {passwordPath !== null && (
            <li>
              <Link to={passwordPath} onClick={follow} className={rowClass}>
                <Row icon={KeyRound}>{t('shell.changePassword')}</Row>
              </Link>
            </li>
          )}
          <li className="grid">
            <button type="button" className={rowClass} onClick={() => void logout()}>
              <Row icon={LogOut}>{t('shell.logout')}</Row>
            </button>
          </li>
        </ul>
      </div>
    </DialogSheet>
  )
}

function Row({ icon: Icon, children }: { icon: LucideIcon; children: ReactNode }) {
  return (
    <>
      <Icon aria-hidden="true" size={18} />
      <span className="min-w-0">{children}</span>
    </>
  )
}
