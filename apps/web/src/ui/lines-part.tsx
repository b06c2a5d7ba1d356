import type { ReactNode } from 'react'
import { useIntl } from 'react-intl'
import { Link } from 'react-router-dom'
import { cn } from '#web/lib/cn.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { QueryView, type QueryState } from './query-view.tsx'
import { Skeletons } from './skeleton.tsx'

/** One line: an item, details, and its state at the end. */
export interface Line {
  id: string
  sign?: ReactNode
  title: ReactNode
  more?: ReactNode
  end?: ReactNode
  /** The link of the line; without one the line is plain text. */
  to?: string | null
  onOpen?: () => void
}

export interface LinesPartProps<Data> {
  title: string
  query: QueryState<Data>
  linesOf: (data: Data) => readonly Line[]
  /** The total, if the part shows only the first few. */
  totalOf?: (data: Data) => number
  /** The path of the full list. */
  all?: string | null
  failed: string
  empty: string
}

/** A part of a page with a few lines: a heading, the count, and a link to the full list. */
export function LinesPart<Data>({ title, query, linesOf, totalOf, all = null, failed, empty }: LinesPartProps<Data>) {
  const t = useText()
  const intl = useIntl()
  const total = query.data === undefined ? undefined : totalOf?.(query.data)
  return (
    <section aria-label={title} className="min-w-0">
      <div className="flex min-h-11 items-center gap-2.5 border-b border-line">
        <h2 className="text-16 font-semibold">{title}</h2>
        {total !== undefined && <span className="text-14 text-ink-3 tabular-nums">{intl.formatNumber(total)}</span>}
        {all !== null && (
          <Link
            to={all}
            aria-label={t('table.allOf', { name: title })}
            className="-mr-2 ml-auto inline-flex min-h-11 min-w-11 items-center justify-center rounded-control px-2 text-14 font-medium text-accent underline-offset-4 hover:underline"
          >
            {t('table.all')}
          </Link>
        )}
      </div>
      <QueryView isPart query={query} failed={failed} loading={<LinesLoading />}>
        {(data) => {
          const lines = linesOf(data)
          if (lines.length === 0) return <p className="py-3 text-14 text-ink-3">{empty}</p>
          return (
            <ul>
              {lines.map((line) => (
                <li key={line.id} className="border-b border-line">
                  <LineBox line={line} />
                </li>
              ))}
            </ul>
          )
        }}
      </QueryView>
    </section>
  )
}

const boxClass = 'flex min-h-12 w-full items-center gap-3 py-1.5 text-left text-14'
const pressedClass = '-mx-2 w-[calc(100%+1rem)] rounded-control px-2 hover:bg-well/60'

/** A text that may be cut is whole on hover; an element has its own title. */
const wholeOf = (content: ReactNode) => (typeof content === 'string' ? content : undefined)

function LineBox({ line }: { line: Line }) {
  const { sign, title, more, end, to = null, onOpen } = line
  const content = (
    <>
      {sign}
      <span className="min-w-0 flex-1">
        <span title={wholeOf(title)} className="block truncate font-medium">
          {title}
        </span>
        {more !== undefined && (
          <span title={wholeOf(more)} className="block truncate text-12 text-ink-3">
            {more}
          </span>
        )}
      </span>
      {end !== undefined && <span className="shrink-0 text-right text-12 text-ink-2">{end}</span>}
    </>
  )
  if (to !== null)
    return (
      <Link to={to} className={cn(boxClass, pressedClass)}>
        {content}
      </Link>
    )
  if (onOpen !== undefined)
    return (
      <button type="button" onClick={onOpen} className={cn(boxClass, pressedClass)}>
        {content}
      </button>
    )
  return <div className={boxClass}>{content}</div>
}

function LinesLoading() {
  return (
    <div className="grid gap-2 py-2">
      <Skeletons count={3} className="h-9" />
    </div>
  )
}
