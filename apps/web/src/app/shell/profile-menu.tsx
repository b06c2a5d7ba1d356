import { ChevronDown } from 'lucide-react'
import { useState, type ComponentProps } from 'react'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import type { SessionUser } from '#web/lib/session/session-user.ts'
import { createPart, usePart } from '#web/lib/use-part.ts'
import { Avatar } from './avatar.tsx'

const menuItems = createPart(async () => (await import('./profile-menu-items.tsx')).ProfileMenuItems)

/** The profile dropdown; its content is loaded at the first press. */
export function ProfileMenu({ user }: { user: SessionUser }) {
  const [isWanted, setWanted] = useState(false)
  const items = usePart(menuItems, isWanted, () => setWanted(false))
  if (items === null) return <ProfileButton user={user} aria-haspopup="menu" onClick={() => setWanted(true)} />
  return items({ user })
}

export function ProfileButton({ user, ...props }: ComponentProps<'button'> & { user: SessionUser }) {
  const t = useText()
  const name = user.name === '' ? user.email : user.name
  return (
    <button
      {...props}
      type="button"
      className="flex min-h-11 max-w-60 items-center gap-2.5 rounded-full py-1 pr-2 pl-1 transition-colors duration-160 hover:bg-well data-popup-open:bg-well max-sm:group-data-home/frame:pr-1 lg:max-w-44"
    >
      <Avatar name={name} url={user.profileImage?.url ?? null} />
      {/* Not an aria-label, which would lack the visible letter of the picture. */}
      <VisuallyHidden>{t('shell.menu', { name })}</VisuallyHidden>
      <span aria-hidden="true" className="hidden truncate text-14 font-medium sm:block">
        {name}
      </span>
      <ChevronDown aria-hidden="true" size={16} className="text-ink-3 max-sm:group-data-home/frame:hidden" />
    </button>
  )
}
