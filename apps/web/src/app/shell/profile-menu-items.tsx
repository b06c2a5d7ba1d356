import { KeyRound, LogOut } from 'lucide-react'
import { useState } from 'react'
import { Link, NavLink } from 'react-router-dom'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/overlays/menu.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import type { SessionUser } from '#web/lib/session/session-user.ts'
import { useLogout } from './use-logout.ts'
import { AppearanceItems } from './appearance-items.tsx'
import { changePasswordPathOf, navLinksOf } from './nav-links.ts'
import { pageIcons } from './page-icons.ts'
import { ProfileButton } from './profile-menu.tsx'

/** The content of the profile dropdown. Base UI closes it on an outside click and on Escape. */
export function ProfileMenuItems({ user }: { user: SessionUser }) {
  const t = useText()
  const logout = useLogout()
  const [isLeaving, setLeaving] = useState(false)
  const changePasswordPath = changePasswordPathOf(user.role)
  return (
    <Menu isOpenAtFirst trigger={<ProfileButton user={user} />}>
      {navLinksOf(user).map(({ label, page, path }) => {
        const Icon = pageIcons[page]
        return (
          <MenuItem key={path} icon={<Icon size={18} />} link={<NavLink to={path} />}>
            {t(label)}
          </MenuItem>
        )
      })}
      {changePasswordPath !== null && (
        <MenuItem icon={<KeyRound size={18} />} link={<Link to={changePasswordPath} />}>
          {t('shell.changePassword')}
        </MenuItem>
      )}
      <MenuSeparator />
      <AppearanceItems />
      <MenuSeparator />
      <MenuItem
        icon={<LogOut size={18} />}
        disabled={isLeaving}
        onSelect={() => {
          setLeaving(true)
          void logout().finally(() => setLeaving(false))
        }}
      >
        {t('shell.logout')}
      </MenuItem>
    </Menu>
  )
}
