import { TextLink } from '#web/ui/link-button.tsx'
import { Page } from '#web/ui/page.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useSessions } from '#web/features/accounts/api/list-sessions.ts'
import { SessionList } from '#web/features/accounts/components/session-list.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useUser } from '#web/lib/services.ts'

/** /user/sessions, /admin/sessions, /monitor/sessions: the sessions of the account. */
export function Screen() {
  const t = useText()
  const user = useUser()
  const sessions = useSessions()
  return (
    <Page title={t('sessions.title')}>
      <div className="max-w-180">
        <p className="-mt-4 mb-5 text-ink-2">{t('sessions.subtitle')}</p>
        <QueryView
          query={sessions}
          failed={t('sessions.failed')}
          loading={
            <div className="grid gap-3">
              <Skeleton className="h-24 rounded-card" />
              <Skeleton className="h-24 rounded-card" />
            </div>
          }
        >
          {(list) => <SessionList sessions={list} />}
        </QueryView>
        {user !== null && (
          <TextLink to={`/${user.role}/profile`} className="mt-6 inline-flex min-h-11 items-center">
            {t('sessions.back')}
          </TextLink>
        )}
      </div>
    </Page>
  )
}
