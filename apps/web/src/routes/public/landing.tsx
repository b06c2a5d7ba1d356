import { LinkButton, TextLink } from '#web/ui/link-button.tsx'
import { Pictures } from '#web/features/landing/components/pictures.tsx'
import { Promises } from '#web/features/landing/components/promises.tsx'
import { TryRoom } from '#web/features/landing/components/try-room.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useServices, useUser } from '#web/lib/services.ts'
import { roleHome } from '#web/app/routing/role-home.ts'
import { usePageTitle } from '#web/lib/use-page-title.ts'

const steps = ['landing.start.1', 'landing.start.2', 'landing.start.3', 'landing.start.4'] as const

function Entrance() {
  const t = useText()
  usePageTitle(t('landing.headline'))
  const user = useUser()
  if (user !== null) return <LinkButton to={roleHome(user.role)}>{t('landing.open')}</LinkButton>
  return (
    <>
      <LinkButton to="/user/register">{t('landing.signUp')}</LinkButton>
      <LinkButton to="/user/login" variant="quiet">
        {t('landing.login')}
      </LinkButton>
    </>
  )
}

/** /: what the product is, with a room to try it. */
export function Screen() {
  const t = useText()
  const { brand } = useServices()
  return (
    <div className="mx-auto grid w-full grid-cols-1 max-w-300 gap-16 px-4 py-8 sm:gap-24 sm:px-6 sm:py-14">
      <div className="relative grid grid-cols-1 items-center gap-8 lg:grid-cols-[1fr_30rem] lg:gap-14">
        <div
          aria-hidden="true"
          className="pointer-events-none absolute inset-x-0 -top-24 -z-10 mx-auto h-120 bg-[radial-gradient(closest-side,var(--on-soft),transparent)] opacity-60"
        />
        <div className="grid grid-cols-1 gap-5">
          <h1 className="text-40 font-semibold max-sm:text-[min(2.5rem,13vw)] sm:text-[3.5rem] sm:leading-[1.05]">
            {t('landing.headline')}
          </h1>
          <p className="max-w-130 text-ink-2 sm:text-20">{t('landing.lead', { brand: brand.name })}</p>
          <div className="flex flex-wrap gap-3 pt-1">
            <Entrance />
          </div>
        </div>
        <TryRoom />
      </div>
      <Promises />
      <Pictures />
      <section aria-labelledby="start" className="rounded-[28px] border border-line bg-card p-6 shadow-card sm:p-10">
        <h2 id="start" className="text-28 font-semibold">
          {t('landing.start')}
        </h2>
        <ol className="mt-6 grid gap-4 sm:grid-cols-4">
          {steps.map((step, index) => (
            <li key={step} className="flex items-center gap-3 sm:grid sm:gap-2">
              <span aria-hidden="true" className="text-40 font-semibold text-ink-3">
                {t('landing.start.number', { number: index + 1 })}
              </span>
              <span className="font-medium">{t(step)}</span>
            </li>
          ))}
        </ol>
        <TextLink to="/support" className="mt-6 inline-flex min-h-11 items-center">
          {t('landing.start.more')}
        </TextLink>
      </section>
      <div className="grid justify-items-center gap-5 text-center">
        <p className="text-28 font-semibold">{t('landing.end')}</p>
        <div className="flex flex-wrap justify-center gap-3">
          <Entrance />
        </div>
      </div>
    </div>
  )
}
