import {
  CalendarClock,
  ChartNoAxesColumn,
  ChevronDown,
  Cpu,
  DoorOpen,
  FileCog,
  Heart,
  House,
  KeyRound,
  LogOut,
  ScrollText,
  ShieldAlert,
  ToggleRight,
  UserCog,
  UserRound,
  Users,
  Wrench,
  type LucideIcon
} from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/menu.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import type { SessionUser } from '#web/lib/session/session-user.ts'
import { useLogout } from './use-logout.ts'
import { Avatar } from './avatar.tsx'
import { AppearanceItems } from './appearance-items.tsx'
import { changePasswordPathOf, navLinksOf } from './nav-links.ts'

const icons: Record<string, LucideIcon> = {
  profile: UserRound,
  home: House,
  dashboard: ChartNoAxesColumn,
  devices: Cpu,
  'device-types': Wrench,
  rooms: DoorOpen,
  switches: ToggleRight,
  'favorite-switches': Heart,
  schedules: CalendarClock,
  logs: ScrollText,
  monitors: UserCog,
  users: Users,
  'device-firmware-files': FileCog,
  'unauthorized-logs': ShieldAlert
}

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
          className="flex min-h-11 max-w-60 items-center gap-2.5 rounded-full py-1 pr-2 pl-1 transition-colors duration-160 hover:bg-well data-popup-open:bg-well"
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
      {navLinksOf(user.role).map(({ label, page, path }) => {
        const Icon = icons[page] ?? Cpu
        return (
          <MenuItem key={path} icon={<Icon size={18} />} link={<Link to={path} />}>
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
