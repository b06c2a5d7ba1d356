import { Languages } from 'lucide-react'
import { useIntl } from 'react-intl'
import { Link } from 'react-router-dom'
import { cn } from '#web/lib/cn.ts'
import { languageNames } from '#web/lib/i18n/language.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useServices } from '#web/lib/services.ts'
import { hasScreen } from '#web/app/routing/screens.ts'
import { useAppearance } from './use-appearance.ts'

const pages = [
  { path: '/privacy', label: 'shell.privacy' },
  { path: '/terms-and-conditions', label: 'shell.terms' },
  { path: '/contact-us', label: 'shell.contact' }
] as const
const linkClass =
  '-mx-2 inline-flex min-h-11 items-center gap-2 rounded-control px-2 text-14 whitespace-nowrap text-ink-2 hover:text-ink'

/** Copyright with the year, the legal pages, and the language and theme, which a visitor may want before signing in. */
export function Footer({ hasQuickNav }: { hasQuickNav: boolean }) {
  const t = useText()
  const intl = useIntl()
  const { brand, clock } = useServices()
  const { choice, ThemeIcon, chooseNext, other, chooseOther } = useAppearance()
  const year = intl.formatDate(clock.now(), { year: 'numeric' })
  return (
    <footer
      // The quick navigation, and the floating button of a page, must not cover the end of the page.
      className={cn(
        'mt-10 border-t border-line print:hidden',
        hasQuickNav &&
          'pb-24 max-sm:low:pb-0 sm:pb-20 sm:[main:has(a.fixed)~&]:pb-36 lg:pb-0 lg:[main:has(a.fixed)~&]:pb-16'
      )}
    >
      {/* On phones: the pages on the first line, the two settings on the second, the copyright last. */}
      <div className="mx-auto flex w-full max-w-300 flex-wrap items-center gap-x-5 px-4 py-4 sm:px-6 lg:group-data-home/frame:px-8">
        <p className="py-2 text-14 text-ink-3 max-sm:order-last max-sm:w-full sm:mr-auto">
          {t('shell.copyright', { year, company: brand.company })}
        </p>
        {pages
          .filter(({ path }) => hasScreen(path))
          .map(({ path, label }) => (
            <Link key={path} to={path} className={linkClass}>
              {t(label)}
            </Link>
          ))}
        <span aria-hidden="true" className="w-full sm:hidden" />
        <button type="button" className={linkClass} lang={other} onClick={chooseOther}>
          <Languages aria-hidden="true" size={16} />
          {languageNames[other]}
        </button>
        <button
          type="button"
          className={linkClass}
          aria-label={`${t('shell.theme')}: ${t(`shell.theme.${choice}`)}`}
          onClick={chooseNext}
        >
          <ThemeIcon aria-hidden="true" size={16} />
          {t(`shell.theme.${choice}`)}
        </button>
      </div>
    </footer>
  )
}
