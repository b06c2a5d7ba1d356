import { CalendarClock } from 'lucide-react'
import { Link } from 'react-router-dom'
import { LinkButton } from '#web/ui/link-button.tsx'
import { Name } from '#web/ui/name.tsx'
import { besideMenuClass, titleClass } from '#web/ui/page.tsx'
import { cn } from '#web/lib/cn.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useUser } from '#web/lib/services.ts'
import { usePageTitle } from '#web/lib/use-page-title.ts'

/** 'Hi! {name}', which links to the profile, the welcome text, and a link to the schedules. */
export function HomeHeader({ area = '/user' }: { area?: string }) {
  const t = useText()
  usePageTitle(t('shell.home'))
  const user = useUser()
  const name = user === null || user.name === '' ? (user?.email ?? '') : user.name
  return (
    <header className={cn('flex flex-wrap items-start justify-between gap-x-4 gap-y-2', besideMenuClass)}>
      <div className="min-w-0 flex-1 basis-36">
        <h1 className={cn(titleClass, 'tracking-tight')}>
          <Link to={`${area}/profile`} className="-my-1.5 block rounded-control py-1.5 hover:text-accent">
            <Name>{t('home.greeting', { name }).trim()}</Name>
          </Link>
        </h1>
        <p className="text-ink-2">{t('home.welcome')}</p>
      </div>
      <LinkButton to={`${area}/schedules`} variant="quiet" className="shrink-0 rounded-full px-3 sm:px-4">
        <CalendarClock aria-hidden="true" size={20} />
        <span className="max-sm:sr-only">{t('home.schedules')}</span>
      </LinkButton>
    </header>
  )
}
