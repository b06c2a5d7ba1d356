import { Link } from 'react-router-dom'
import { BookOpen, FileDown, Mail, type LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { moreLinkClass, panelClass, Section } from '#web/ui/page.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Segmented } from '#web/ui/fields/segmented.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useSessions } from '#web/features/accounts/api/list-sessions.ts'
import { SessionList } from '#web/features/accounts/components/session-list.tsx'
import { TopicLinks } from '#web/features/support/components/topic-links.tsx'
import { cn } from '#web/lib/cn.ts'
import { languageNames, languages } from '#web/lib/i18n/language.ts'
import { useChooseLanguage } from '#web/lib/i18n/use-choose-language.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useLanguageState, useServices, useThemeChoice } from '#web/lib/services.ts'

/** The settings page shows the latest few; another page lists all. */
const shownSessions = 3

/** Theme and language of the app on this device. */
export function LookSection() {
  const t = useText()
  const { theme } = useServices()
  const chooseLanguage = useChooseLanguage()
  const choice = useThemeChoice()
  const { language: current } = useLanguageState()
  return (
    <Section title={t('settings.look')}>
      <div className={cn(panelClass, 'grid gap-4 sm:grid-cols-[3fr_2fr] sm:gap-6')}>
        <Segmented
          label={t('shell.theme')}
          value={choice}
          choices={(['system', 'light', 'dark'] as const).map((value) => ({
            value,
            label: t(`shell.theme.${value}`)
          }))}
          onChange={theme.choose}
        />
        <Segmented
          label={t('shell.language')}
          value={current}
          choices={languages.map((value) => ({ value, label: languageNames[value], lang: value }))}
          onChange={chooseLanguage}
        />
      </div>
    </Section>
  )
}

/** The sessions of the account: this one and the latest others. */
export function SessionsSection({ path }: { path: string }) {
  const t = useText()
  const sessions = useSessions()
  const count = sessions.data?.length ?? 0
  return (
    <Section
      title={t('sessions.title')}
      action={
        count > shownSessions && (
          <Link to={path} className={moreLinkClass}>
            {t('settings.allSessions', { count })}
          </Link>
        )
      }
    >
      <QueryView
        isPart
        query={sessions}
        failed={t('sessions.failed')}
        loading={<Skeleton className="h-24 rounded-card" />}
      >
        {(list) => <SessionList sessions={list.slice(0, shownSessions)} isAll={count <= shownSessions} heading="h3" />}
      </QueryView>
    </Section>
  )
}

/** Help pages, the user guide, contact, and the API reference. */
export function HelpSection() {
  const t = useText()
  return (
    <Section title={t('shell.help')}>
      <TopicLinks />
      <ul className="mt-3 flex flex-wrap gap-x-6">
        <HelpLink icon={FileDown} href="/docs/user-guide.pdf" download>
          {t('support.download')}
        </HelpLink>
        <HelpLink icon={Mail} to="/contact-us">
          {t('shell.contact')}
        </HelpLink>
        <HelpLink icon={BookOpen} to="/docs">
          {t('settings.api')}
        </HelpLink>
      </ul>
    </Section>
  )
}

type HelpLinkProps = { icon: LucideIcon } & (
  | (ComponentProps<'a'> & { href: string })
  | (ComponentProps<typeof Link> & { to: string })
)

function HelpLink({ icon: Icon, children, ...link }: HelpLinkProps) {
  const content = (
    <>
      <Icon aria-hidden="true" size={18} />
      {children}
    </>
  )
  const className =
    'inline-flex min-h-11 items-center gap-2 text-14 font-medium text-accent underline-offset-4 hover:underline'
  return (
    <li>
      {'to' in link ? (
        <Link {...link} className={className}>
          {content}
        </Link>
      ) : (
        <a {...link} className={className}>
          {content}
        </a>
      )}
    </li>
  )
}
