import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { NavLink } from 'react-router-dom'
import { DialogSheet } from '#web/ui/dialog-sheet.tsx'
import { cn } from '#web/lib/cn.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import type { SessionUser } from '#web/lib/session/session-user.ts'
import { iconOf } from './page-icons.ts'
import { staffGroupsOf } from './staff-nav.ts'

/** Everything that the bottom bar has no room for. */
export function MoreSheet({ user, className }: { user: SessionUser; className: string }) {
  const t = useText()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" aria-haspopup="dialog" onClick={() => setOpen(true)} className={className}>
        <Ellipsis aria-hidden="true" size={20} />
        {t('shell.more')}
      </button>
      <DialogSheet isOpen={isOpen} onClose={() => setOpen(false)} title={t('shell.menuOfPages')}>
        <nav aria-label={t('shell.menuOfPages')} className="grid gap-3">
          {staffGroupsOf(user).map(({ label, links }) => (
            <div key={label ?? ''}>
              {label !== null && <h3 className="pb-1 text-12 font-medium text-ink-3">{t(label)}</h3>}
              <ul className="grid grid-cols-2 gap-x-2">
                {links.map(({ page, path, label: name }) => {
                  const Icon = iconOf(page)
                  return (
                    <li key={path}>
                      <NavLink
                        to={path}
                        onClick={() => setOpen(false)}
                        className={({ isActive }) =>
                          cn(
                            '-mx-2 flex min-h-12 items-center gap-2.5 rounded-control px-2 text-14',
                            isActive ? 'bg-well font-semibold' : 'text-ink-2'
                          )
                        }
                      >
                        <Icon aria-hidden="true" size={18} className="shrink-0" />
                        <span className="min-w-0">{t(name)}</span>
                      </NavLink>
                    </li>
                  )
                })}
              </ul>
            </div>
          ))}
        </nav>
      </DialogSheet>
    </>
  )
}
