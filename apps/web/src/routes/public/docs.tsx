import { useMemo, useState } from 'react'
import { Page, panelClass } from '#web/ui/page.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { CallEntry, anchorOf } from '#web/features/api-reference/components/call-entry.tsx'
import { groupsOf, type ApiDescription, type CallGroup } from '#web/features/api-reference/description.ts'
import { useDescription } from '#web/features/api-reference/use-description.ts'
import { cn } from '#web/lib/cn.ts'
import { useText } from '#web/lib/i18n/use-text.ts'

/** /docs: every call of the API with its input and answers, and a form to try it. */
export function Screen() {
  const t = useText()
  const description = useDescription()
  return (
    <Page title={t('reference.title')}>
      <p className="-mt-3 mb-5 max-w-180 text-ink-2">
        {t('reference.subtitle')}{' '}
        <a href="/docs/openapi.json" className="font-medium text-accent underline underline-offset-4">
          OpenAPI
        </a>
        {' · '}
        <a href="/docs/asyncapi.json" className="font-medium text-accent underline underline-offset-4">
          AsyncAPI
        </a>
      </p>
      <QueryView
        query={description}
        failed={t('reference.failed')}
        loading={
          <div className="grid gap-4">
            <Skeleton className="h-60 rounded-card" />
            <Skeleton className="h-60 rounded-card" />
          </div>
        }
      >
        {(found) => <Reference description={found} />}
      </QueryView>
    </Page>
  )
}

function Reference({ description }: { description: ApiDescription }) {
  const t = useText()
  const [search, setSearch] = useState('')
  const all = useMemo(() => groupsOf(description), [description])
  const groups = useMemo(() => matching(all, search), [all, search])
  // A link to one call opens it.
  const [wanted] = useState(() => window.location.hash.slice(1))
  return (
    <div className="grid items-start gap-x-8 gap-y-5 lg:grid-cols-[13rem_minmax(0,1fr)]">
      <div className="grid gap-3 lg:sticky lg:top-4">
        <TextField
          type="search"
          label={t('reference.find')}
          value={search}
          autoComplete="off"
          onChange={(event) => setSearch(event.target.value)}
        />
        <nav aria-label={t('reference.groups')} className="hidden max-h-[70dvh] overflow-y-auto lg:block">
          <ul lang="en">
            {groups.map(({ name }) => (
              <li key={name}>
                <a
                  href={`#${idOf(name)}`}
                  className="flex min-h-9 items-center pointer-coarse:min-h-11 rounded-control px-2.5 text-14 text-ink-2 hover:bg-well/60 hover:text-ink"
                >
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </div>
      <div className="grid gap-8">
        {groups.length === 0 && <p className="py-10 text-center text-ink-2">{t('reference.none')}</p>}
        {groups.map(({ name, calls }) => (
          <section key={name} id={idOf(name)} aria-label={name} className="scroll-mt-4">
            <h2 className="mb-3 text-20 font-semibold" lang="en">
              {name}
            </h2>
            <div className={cn(panelClass, 'overflow-hidden p-0 sm:p-0')}>
              {calls.map((call) => (
                <CallEntry
                  key={call.id}
                  call={call}
                  schemas={description.components.schemas}
                  isOpenAtFirst={anchorOf(call) === wanted}
                />
              ))}
            </div>
          </section>
        ))}
      </div>
    </div>
  )
}

const idOf = (group: string): string => group.toLowerCase().replaceAll(/[^a-z]+/g, '-')

function matching(groups: readonly CallGroup[], search: string): CallGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const isFound = (text: string) => words.every((word) => text.toLowerCase().includes(word))
  return groups
    .map(({ name, calls }) => ({
      name,
      calls: calls.filter(({ method, path, summary }) => isFound(`${name} ${method} ${path} ${summary}`))
    }))
    .filter(({ calls }) => calls.length > 0)
}
