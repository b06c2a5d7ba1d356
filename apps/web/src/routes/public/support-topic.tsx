import { defaultMqttPort } from '@batti/contracts'
import { ArrowLeft } from 'lucide-react'
import { Navigate, useParams } from 'react-router-dom'
import { TextLink } from '#web/ui/link-button.tsx'
import { helpTopics } from '#web/features/support/help-topics.ts'
import { cn } from '#web/lib/cn.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useServices } from '#web/lib/services.ts'
import { usePageTitle } from '#web/lib/use-page-title.ts'

/** /support/{setup,wifi-issues,device-sync,account} */
export function Screen() {
  const t = useText()
  const { brand } = useServices()
  const { topic: slug } = useParams()
  const topic = helpTopics.find((candidate) => candidate.slug === slug)
  usePageTitle(t(topic?.title ?? 'support.title'))
  if (topic === undefined) return <Navigate to="/support" replace />
  // A port number has no thousands separator.
  const values = { brand: brand.name, mqttPort: String(defaultMqttPort) }
  const List = topic.kind === 'steps' ? 'ol' : 'ul'
  return (
    <article className="mx-auto w-full max-w-180 px-4 py-8 sm:px-6 sm:py-12">
      <TextLink to="/support" className="mb-4 inline-flex min-h-11 items-center gap-2">
        <ArrowLeft aria-hidden="true" size={18} />
        {t('support.back')}
      </TextLink>
      <h1 className="text-28 font-semibold sm:text-40">{t(topic.title)}</h1>
      <p className="mt-2 text-ink-2">{t(topic.intro, values)}</p>
      <List className="mt-8 grid gap-7">
        {topic.entries.map(({ title, body }, index) => (
          <li key={title} className={cn(topic.kind === 'steps' && 'grid grid-cols-[auto_1fr] gap-x-4')}>
            {topic.kind === 'steps' && (
              <span
                aria-hidden="true"
                className="grid size-9 place-items-center rounded-full bg-well text-14 font-semibold"
              >
                {t('support.step', { number: index + 1 })}
              </span>
            )}
            <div>
              <h2 className="text-20 font-semibold">{t(title)}</h2>
              <p className="mt-1 text-ink-2">{t(body, values)}</p>
            </div>
          </li>
        ))}
      </List>
      <aside className="mt-12 rounded-card border border-line bg-card p-5">
        <p className="font-semibold">{t('support.still')}</p>
        <p className="mt-1 text-ink-2">{t('support.stillText', { email: brand.contact.email })}</p>
      </aside>
    </article>
  )
}
