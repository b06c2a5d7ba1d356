import { FileDown } from 'lucide-react'
import { buttonClass } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ContactCard } from '#web/features/support/components/contact-card.tsx'
import { TopicLinks } from '#web/features/support/components/topic-links.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useLanguageState, useServices } from '#web/lib/services.ts'
import { usePageTitle } from '#web/lib/use-page-title.ts'

/** /support: topics, video, user guide and contact. */
export function Screen() {
  const t = useText()
  usePageTitle(t('support.title'))
  const { brand } = useServices()
  const { language } = useLanguageState()
  return (
    <div className="mx-auto grid w-full max-w-240 gap-10 px-4 py-8 sm:px-6 sm:py-12">
      <header>
        <h1 className="text-28 font-semibold sm:text-40">{t('support.title')}</h1>
        <p className="mt-2 text-ink-2">{t('support.subtitle')}</p>
      </header>
      <section aria-labelledby="topics">
        <h2 id="topics" className="mb-3 text-20 font-semibold">
          {t('support.topics')}
        </h2>
        <TopicLinks />
      </section>
      <section aria-labelledby="video">
        <h2 id="video" className="mb-3 text-20 font-semibold">
          {t('support.video')}
        </h2>
        <Card className="overflow-hidden">
          {/* The video is silent and has English captions in its picture; other languages get subtitles. */}
          <video
            controls
            muted
            playsInline
            preload="none"
            poster="/media/setup.jpg"
            aria-label={t('support.videoLabel')}
            aria-describedby="video-text"
            className="aspect-video w-full bg-well -outline-offset-2"
          >
            <source src="/media/setup.webm" type="video/webm" />
            {/* The key creates a new element per language, as browsers read `default` only once. */}
            <track
              key={language}
              kind="subtitles"
              src="/media/setup.ne.vtt"
              srcLang="ne"
              label="नेपाली"
              default={language === 'ne'}
            />
          </video>
          <p id="video-text" className="p-4 text-14 text-ink-2 sm:px-5">
            {t('support.videoText')}
          </p>
        </Card>
      </section>
      <section aria-labelledby="guide">
        <h2 id="guide" className="mb-1 text-20 font-semibold">
          {t('support.guide')}
        </h2>
        <p className="mb-4 text-ink-2">{t('support.guideText')}</p>
        <a href="/docs/user-guide.pdf" download className={buttonClass({ variant: 'quiet' })}>
          <FileDown aria-hidden="true" size={20} />
          {t('support.download')}
        </a>
      </section>
      <section aria-labelledby="contact">
        <h2 id="contact" className="mb-3 text-20 font-semibold">
          {t('support.contact')}
        </h2>
        <ContactCard brand={brand} />
      </section>
    </div>
  )
}
