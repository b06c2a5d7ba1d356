import { TextLink } from '#web/ui/link-button.tsx'
import { ContactCard } from '#web/features/support/components/contact-card.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useServices } from '#web/lib/services.ts'
import { usePageTitle } from '#web/lib/use-page-title.ts'

/** /contact-us */
export function Screen() {
  const t = useText()
  usePageTitle(t('contactUs.title'))
  const { brand } = useServices()
  return (
    <div className="mx-auto w-full max-w-180 px-4 py-8 sm:px-6 sm:py-12">
      <h1 className="text-28 font-semibold sm:text-40">{t('contactUs.title')}</h1>
      <p className="mt-2 mb-6 text-ink-2">{t('contactUs.subtitle', { company: brand.company })}</p>
      <ContactCard brand={brand} />
      <p className="mt-6 text-ink-2">
        {t('contactUs.help')} <TextLink to="/support">{t('contactUs.toSupport')}</TextLink>
      </p>
    </div>
  )
}
