import { useText } from '#web/lib/i18n/use-text.ts'
import { useServices } from '#web/lib/services.ts'
import type { MessageId } from '#web/i18n/message-id.ts'
import { usePageTitle } from '#web/lib/use-page-title.ts'

export interface LegalSection {
  title: MessageId
  paragraphs?: readonly MessageId[]
  points?: readonly MessageId[]
  /** A paragraph after the list. */
  closing?: MessageId
}

/** A legal text: a title, an introduction, sections and a table of contents. Names come from the brand. */
export function LegalPage({
  title,
  effective,
  intro,
  sections
}: {
  title: MessageId
  effective?: MessageId
  intro: MessageId
  sections: readonly LegalSection[]
}) {
  const t = useText()
  usePageTitle(t(title))
  const { brand } = useServices()
  const values = {
    brand: brand.name,
    company: brand.company,
    district: brand.district,
    email: brand.contact.email
  }
  // Avoids ".." when a sentence ends with a company's "Ltd.".
  const text = (id: MessageId) => t(id, values).replaceAll('..', '.')
  return (
    <article className="mx-auto grid w-full max-w-240 grid-cols-1 items-start gap-x-12 gap-y-8 px-4 py-8 sm:px-6 sm:py-12 lg:grid-cols-[1fr_14rem]">
      <header className="grid gap-2 lg:col-span-2">
        <h1 className="text-28 font-semibold sm:text-40">{t(title)}</h1>
        {effective !== undefined && <p className="text-14 text-ink-3">{t(effective)}</p>}
        <p className="max-w-160 text-ink-2">{text(intro)}</p>
      </header>
      <nav
        aria-label={t('legal.contents')}
        className="rounded-card border border-line bg-card p-4 lg:sticky lg:top-24 lg:order-2"
      >
        <p className="px-2 text-14 font-semibold">{t('legal.contents')}</p>
        <ul className="mt-1">
          {sections.map((section) => (
            <li key={section.title}>
              <a
                href={`#${section.title}`}
                className="flex min-h-11 items-center rounded-control px-2 text-14 text-ink-2 hover:bg-well hover:text-ink"
              >
                {t(section.title)}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div className="grid max-w-160 grid-cols-1 gap-8">
        {sections.map((section) => (
          <section key={section.title} id={section.title} className="scroll-mt-6">
            <h2 className="mb-2 text-20 font-semibold">{t(section.title)}</h2>
            {section.paragraphs?.map((paragraph) => (
              <p key={paragraph} className="text-ink-2">
                {text(paragraph)}
              </p>
            ))}
            {section.points !== undefined && (
              <ul className="grid list-disc gap-1.5 pl-5 text-ink-2 marker:text-ink-3">
                {section.points.map((point) => (
                  <li key={point}>{text(point)}</li>
                ))}
              </ul>
            )}
            {section.closing !== undefined && <p className="mt-3 text-ink-2">{text(section.closing)}</p>}
          </section>
        ))}
      </div>
    </article>
  )
}
