import { ChevronDown } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { ApiCall } from '#web/features/api-reference/description.ts'
import type { Schemas } from '#web/features/api-reference/schema-lines.ts'
import { cn } from '#web/lib/cn.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { SchemaTable } from './schema-table.tsx'
import { TryCall } from './try-call.tsx'

export const anchorOf = (call: ApiCall): string => `call-${call.id}`

/** One call: a line that is always visible, and its input and answers once it is opened. */
export function CallEntry({
  call,
  schemas,
  isOpenAtFirst
}: {
  call: ApiCall
  schemas: Schemas
  isOpenAtFirst: boolean
}) {
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  return (
    <details
      id={anchorOf(call)}
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="group scroll-mt-4 border-t border-line first:border-t-0"
    >
      <summary className="grid min-h-12 cursor-pointer list-none grid-cols-[4.25rem_minmax(0,1fr)_auto] items-center gap-x-3 px-4 py-2 hover:bg-well/60 sm:px-5 [&::-webkit-details-marker]:hidden">
        <span
          className={cn(
            'rounded-md border border-edge/60 px-1.5 py-0.5 text-center font-mono text-12 font-semibold uppercase',
            call.method === 'get' ? 'text-ink-2' : call.method === 'delete' ? 'text-danger' : 'text-accent'
          )}
        >
          {call.method}
        </span>
        <span className="grid min-w-0 gap-x-4 lg:grid-cols-2 lg:items-baseline" lang="en">
          <code className="font-mono text-14 wrap-anywhere">{call.path}</code>
          <span className="text-14 text-ink-2">{call.summary}</span>
        </span>
        <ChevronDown
          aria-hidden="true"
          size={18}
          className="text-ink-3 transition-[rotate] duration-160 group-open:rotate-180"
        />
      </summary>
      {isOpen && <CallDetails call={call} schemas={schemas} />}
    </details>
  )
}

function CallDetails({ call, schemas }: { call: ApiCall; schemas: Schemas }) {
  const t = useText()
  return (
    <div className="grid gap-5 px-4 pt-1 pb-5 sm:px-5">
      <p className="text-14 text-ink-2" lang="en">
        {call.description}
      </p>
      {call.parameters.length > 0 && (
        <Part title={t('reference.parameters')}>
          <SchemaTable
            schema={{
              type: 'object',
              required: call.parameters.flatMap(({ name, required = false }) => (required ? [name] : [])),
              properties: Object.fromEntries(call.parameters.map(({ name, schema }) => [name, schema ?? {}]))
            }}
            schemas={schemas}
          />
        </Part>
      )}
      {call.body.map(
        ({ type, schema }) =>
          schema !== null && (
            <Part key={type} title={`${t('reference.body')} · ${type}`}>
              <SchemaTable schema={schema} schemas={schemas} />
            </Part>
          )
      )}
      <Part title={t('reference.answers')}>
        <ul className="grid gap-2 text-14" lang="en">
          {call.answers.map(({ status, words, schema }) => (
            <li key={status}>
              <span className="font-mono text-12 font-semibold">{status}</span>{' '}
              <span className="text-ink-2 wrap-anywhere">{words}</span>
              {schema !== null && (
                <div className="mt-1">
                  <SchemaTable schema={schema} schemas={schemas} />
                </div>
              )}
            </li>
          ))}
        </ul>
      </Part>
      {call.isHere && call.access !== 'internal' && <TryCall call={call} schemas={schemas} />}
    </div>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-1.5 text-14 font-semibold">{title}</h3>
      {children}
    </section>
  )
}
