import { BadgeCheck, History, House, ToggleRight, type LucideIcon } from 'lucide-react'
import type { MessageId } from '#web/i18n/message-id.ts'
import { useText } from '#web/lib/i18n/use-text.ts'

const promises: readonly { icon: LucideIcon; title: MessageId; body: MessageId }[] = [
  { icon: BadgeCheck, title: 'landing.truth', body: 'landing.truth.body' },
  { icon: History, title: 'landing.why', body: 'landing.why.body' },
  { icon: ToggleRight, title: 'landing.wall', body: 'landing.wall.body' },
  { icon: House, title: 'landing.yours', body: 'landing.yours.body' }
]

/** The product's strengths in four sentences. */
export function Promises() {
  const t = useText()
  return (
    <ul className="grid gap-x-8 gap-y-8 sm:grid-cols-2 lg:grid-cols-4">
      {promises.map(({ icon: Icon, title, body }) => (
        <li key={title}>
          <Icon aria-hidden="true" size={26} strokeWidth={1.6} className="mb-3 text-accent" />
          <h2 className="text-16 font-semibold">{t(title)}</h2>
          <p className="mt-1 text-14 text-ink-2">{t(body)}</p>
        </li>
      ))}
    </ul>
  )
}
