import { ChevronRight } from 'lucide-react'
import { Link } from 'react-router-dom'
import { cardClass } from '#web/ui/card.tsx'
import { cn } from '#web/lib/cn.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { helpTopics } from '#web/features/support/help-topics.ts'

/** The four help topics as cards, linked to their pages. */
export function TopicLinks() {
  const t = useText()
  return (
    <ul className="grid grid-cols-1 gap-3 sm:grid-cols-2">
      {helpTopics.map(({ slug, icon: Icon, title, short }) => (
        <li key={slug}>
          <Link
            to={`/support/${slug}`}
            className={cn(cardClass(false), 'flex h-full items-center gap-4 p-4 hover:border-edge sm:p-5')}
          >
            <span aria-hidden="true" className="grid size-11 shrink-0 place-items-center rounded-full bg-well">
              <Icon size={20} />
            </span>
            <span className="min-w-0 flex-1">
              <span className="block font-semibold">{t(title)}</span>
              <span className="block text-14 text-ink-2">{t(short)}</span>
            </span>
            <ChevronRight aria-hidden="true" size={18} className="text-ink-3" />
          </Link>
        </li>
      ))}
    </ul>
  )
}
