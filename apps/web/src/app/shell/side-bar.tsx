import { useIntl } from 'react-intl'
import { Link, NavLink } from 'react-router-dom'
import { roleHome } from '#web/app/routing/role-home.ts'
import { useTotals } from '#web/lib/use-totals.ts'
import { cn } from '#web/lib/cn.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useServices } from '#web/lib/services.ts'
import type { SessionUser } from '#web/lib/session/session-user.ts'
import { BrandMark } from './brand-mark.tsx'
import { iconOf } from './page-icons.ts'
import { staffGroupsOf } from './staff-nav.ts'

/** The way to every page of staff, from 1024 px on; its foot is the quick navigation's place. */
export function SideBar({ user }: { user: SessionUser }) {
  const t = useText()
  const intl = useIntl()
  const { brand } = useServices()
  const totals = useTotals()
  return (
    <aside className="sticky top-0 z-20 hidden h-dvh w-56 shrink-0 flex-col gap-3 overflow-y-auto px-3 py-4 lg:flex">
      <Link
        to={roleHome(user.role)}
        className="flex min-h-11 items-center gap-2.5 rounded-control px-2 text-16 font-semibold tracking-tight"
      >
        <BrandMark brand={brand} />
        {brand.name}
      </Link>
      <nav aria-label={t('shell.menuOfPages')} className="grid gap-4 pb-20">
        {staffGroupsOf(user).map(({ label, links }) => (
          <div key={label ?? ''}>
            {label !== null && <h2 className="px-2.5 pb-1 text-12 font-medium text-ink-3">{t(label)}</h2>}
            <ul>
              {links.map(({ page, path, label: name, total }) => {
                const Icon = iconOf(page)
                const count = total === undefined ? undefined : totals[total]
                return (
                  <li key={path}>
                    <NavLink
                      to={path}
                      className={({ isActive }) =>
                        cn(
                          'flex min-h-9 items-center gap-2.5 rounded-control px-2.5 text-14 pointer-coarse:min-h-11',
                          isActive ? 'bg-well font-semibold text-ink' : 'text-ink-2 hover:bg-well/60 hover:text-ink'
                        )
                      }
                    >
                      <Icon aria-hidden="true" size={17} className="shrink-0" />
                      <span className="min-w-0 flex-1 truncate">{t(name)}</span>
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
    </aside>
  )
}
