import type { MessageId } from '#web/i18n/message-id.ts'
import { useText } from '#web/lib/i18n/use-text.ts'

const pictures: readonly { file: string; caption: MessageId }[] = [
  { file: 'home', caption: 'landing.see.home' },
  { file: 'board', caption: 'landing.see.board' },
  { file: 'sessions', caption: 'landing.see.profile' }
]

/** Pictures of the real product in the present theme, created by the e2e media script. */
export function Pictures() {
  const t = useText()
  return (
    <section aria-labelledby="see">
      <h2 id="see" className="mb-6 text-center text-28 font-semibold">
        {t('landing.see')}
      </h2>
      <ul className="grid gap-6 sm:grid-cols-3">
        {pictures.map(({ file, caption }) => (
          <li key={file}>
            <figure>
              <div className="overflow-hidden rounded-[28px] border border-line bg-card shadow-float">
                {(['light', 'dark'] as const).map((theme) => (
                  <img
                    key={theme}
                    src={`/media/${file}-${theme}.webp`}
                    alt={t('landing.see.alt', { caption: t(caption) })}
                    width={390}
                    height={700}
                    loading="lazy"
                    className={
                      theme === 'light'
                        ? 'w-full [[data-theme=dark]_&]:hidden'
                        : 'hidden w-full [[data-theme=dark]_&]:block'
                    }
                  />
                ))}
              </div>
              <figcaption className="mt-3 text-center text-14 text-ink-2">{t(caption)}</figcaption>
            </figure>
          </li>
        ))}
      </ul>
    </section>
  )
}
