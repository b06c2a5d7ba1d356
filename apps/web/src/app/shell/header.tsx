import { lazy, Suspense } from 'react'
import { Link } from 'react-router-dom'
import { LinkButton } from '#web/ui/link-button.tsx'
import { cn } from '#web/lib/cn.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useUser } from '#web/lib/services.ts'
import { roleHome } from '#web/app/routing/role-home.ts'
import { BrandName } from './brand-name.tsx'

const FindLauncher = lazy(async () => ({ default: (await import('./find/find-launcher.tsx')).FindLauncher }))
const ProfileMenu = lazy(async () => ({ default: (await import('./profile-menu.tsx')).ProfileMenu }))

/**
 * The product's name, which leads to the role's home, and login and sign-up, or the profile dropdown. On a phone and
 * beside the side bar a home's page has no header bar: there the dropdown is at the end of the page's own header.
 */
export function Header({ isStaff, isHome }: { isStaff: boolean; isHome: boolean }) {
  const t = useText()
  const user = useUser()
  return (
    <header
      className={cn(
        'sticky top-0 z-30 border-b border-line bg-page/85 backdrop-blur-md print:hidden',
        isStaff && 'lg:rounded-t-card lg:bg-card/90',
        isHome &&
          'barless:pointer-events-none barless:absolute barless:inset-x-0 barless:border-0 barless:bg-transparent barless:backdrop-blur-none'
      )}
    >
      <div
        className={cn(
          'mx-auto flex min-h-16 w-full max-w-300 items-center gap-2 px-4 sm:px-6',
          // With large letters on a narrow screen the two links wrap below the name instead of overflowing.
          user === null && 'flex-wrap py-2',
          isStaff && 'max-w-360 lg:min-h-14',
          isHome && 'barless:*:pointer-events-auto max-sm:min-h-0 max-sm:pt-3 lg:px-8 lg:pt-8'
        )}
      >
        <Link
          to={user === null ? '/' : roleHome(user.role)}
          className={cn(
            'flex min-h-11 min-w-0 items-center gap-2.5 rounded-control pr-2 text-[min(1.25rem,7vw)] leading-tight font-semibold tracking-tight',
            user === null ? 'max-sm:pr-0' : 'lg:hidden',
            isHome && 'max-sm:hidden'
          )}
        >
          <BrandName />
        </Link>
        {isStaff && user !== null && (
          <Suspense>
            <div className="shrink-0 max-lg:order-1">
              <FindLauncher user={user} />
            </div>
          </Suspense>
        )}
        {user !== null && <div className="flex-1" />}
        {user === null ? (
          <nav className="ml-auto flex flex-wrap items-center justify-end gap-1">
            <LinkButton to="/user/login" variant="ghost" className="max-sm:px-2">
              {t('shell.login')}
            </LinkButton>
            <LinkButton to="/user/register" variant="quiet" className="max-sm:px-3">
              {t('shell.signup')}
            </LinkButton>
          </nav>
        ) : (
          <div className="order-2 shrink-0">
            <Suspense fallback={<div className="size-11" />}>
              <ProfileMenu user={user} />
            </Suspense>
          </div>
        )}
      </div>
    </header>
  )
}
