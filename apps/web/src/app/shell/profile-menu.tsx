import { ChevronDown, KeyRound, LogOut } from 'lucide-react'
import { useState } from 'react'
import { Link, NavLink } from 'react-router-dom'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/menu.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import type { SessionUser } from '#web/lib/session/session-user.ts'
import { useLogout } from './use-logout.ts'
import { Avatar } from './avatar.tsx'
import { AppearanceItems } from './appearance-items.tsx'
import { changePasswordPathOf, navLinksOf } from './nav-links.ts'
import { iconOf } from './page-icons.ts'

/** The header's dropdown. Base UI closes it on an outside click and on Escape. */
export function ProfileMenu({ user }: { user: SessionUser }) {
  const t = useText()
  const logout = useLogout()
  const [isLeaving, setLeaving] = useState(false)
  const changePasswordPath = changePasswordPathOf(user.role)
  const name = user.name === '' ? user.email : user.name
  return (
    <Menu
      trigger={
        <button
          type="button"
          className="flex min-h-11 max-w-60 lg:max-w-44 items-center gap-2.5 rounded-full py-1 pr-2 pl-1 transition-colors duration-160 hover:bg-well data-popup-open:bg-well"
        >
          <Avatar name={name} url={user.profileImage?.url ?? null} />
          {/* Not an aria-label: the letter of the picture would be visible text that it lacks. */}
          <VisuallyHidden>{t('shell.menu', { name })}</VisuallyHidden>
          <span aria-hidden="true" className="hidden truncate text-14 font-medium sm:block">
            {name}
          </span>
          <ChevronDown aria-hidden="true" size={16} className="text-ink-3" />
        </button>
      }
    >
      {navLinksOf(user).map(({ label, page, path }) => {
        const Icon = iconOf(page)
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
