import type { ReactNode } from 'react'

/** An empty list: a small drawing, one sentence, one action. */
export function EmptyState({
  drawing,
  title,
  body,
  action
}: {
  drawing?: ReactNode
  title: string
  body?: ReactNode
  action?: ReactNode
}) {
  return (
    <div className="grid animate-rise justify-items-center gap-2 px-4 py-14 text-center">
      {drawing !== undefined && (
        <div aria-hidden="true" className="mb-2 text-ink-3">
          {drawing}
        </div>
      )}
      <p className="text-16 font-semibold">{title}</p>
      {body !== undefined && <p className="max-w-md text-14 text-ink-2">{body}</p>}
      {action !== undefined && <div className="mt-3 flex flex-wrap justify-center gap-2 empty:hidden">{action}</div>}
    </div>
  )
}
