import { useIntl } from 'react-intl'
import { NavLink } from 'react-router-dom'
import { cn } from '#web/lib/cn.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import type { SessionUser } from '#web/lib/session/session-user.ts'
import { pageGroupsOf } from './page-groups.ts'
import { pageIcons } from './page-icons.ts'

/** `bar`: one column beside the page. `sheet`: two columns with touch-sized targets. */
const looks = {
  bar: { heading: 'px-2.5', list: '', item: 'min-h-9 px-2.5 pointer-coarse:min-h-11', icon: 17 },
  sheet: { heading: '', list: 'grid grid-cols-2 gap-x-6', item: '-mx-2 min-h-12 px-2', icon: 18 }
} as const

export interface PageLinksProps {
  user: SessionUser
  look: keyof typeof looks
  /** Totals of the dashboard, shown beside their pages. */
  totals?: Readonly<Record<string, number | undefined>>
  onFollow?: () => void
}

/** Links to every page of a person, in groups; the current page is marked. */
export function PageLinks({ user, look, totals = {}, onFollow }: PageLinksProps) {
  const t = useText()
  const intl = useIntl()
  const { heading, list, item, icon } = looks[look]
  const isHome = user.role === 'user'
  return (
    <nav aria-label={t('shell.menuOfPages')} className="grid gap-4">
      {pageGroupsOf(user).map(({ label, links }) => (
        <div key={links[0]?.path}>
          {label !== null && <h2 className={cn('pb-1 text-12 font-medium text-ink-3', heading)}>{t(label)}</h2>}
          <ul className={list}>
            {links.map(({ page, path, label: name, total }) => {
              const Icon = pageIcons[page]
              const count = total === undefined ? undefined : totals[total]
              return (
                <li key={path}>
                  <NavLink
                    to={path}
                    onClick={onFollow}
                    className={({ isActive }) =>
                      cn(
                        'flex items-center gap-2.5 rounded-control text-14',
                        item,
                        isHome && look === 'bar' && 'min-h-11',
                        isActive ? 'bg-well font-semibold text-ink' : 'text-ink-2 hover:bg-well/60 hover:text-ink'
                      )
                    }
                  >
                    <Icon aria-hidden="true" size={icon} />
                    <span className={cn('min-w-0 flex-1', look === 'bar' && 'truncate')}>{t(name)}</span>
                    {count !== undefined && (
                      <span className="text-12 text-ink-3 tabular-nums">{intl.formatNumber(count)}</span>
                    )}
                  </NavLink>
                </li>
              )
            })}
          </ul>
        </div>
      ))}
    </nav>
  )
}
