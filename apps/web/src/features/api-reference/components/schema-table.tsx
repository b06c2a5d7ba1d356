import type { SchemaNode } from '#web/features/api-reference/description.ts'
import { schemaLines, typeText, type Schemas } from '#web/features/api-reference/schema-lines.ts'
import { useText } from '#web/lib/i18n/use-text.ts'

/** The fields of a body or an answer, indented by depth. */
export function SchemaTable({ schema, schemas }: { schema: SchemaNode; schemas: Schemas }) {
  const t = useText()
  const lines = schemaLines(schema, schemas)
  if (lines.length === 0) return <code className="font-mono text-12">{typeText(schema, schemas)}</code>
  return (
    <dl className="grid text-14">
      {lines.map(({ path, name, depth, isRequired, type, facts }) => (
        <div
          key={path}
          className="grid gap-x-4 border-t border-line py-1.5 sm:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]"
          style={{ paddingLeft: `${depth * 1.25}rem` }}
        >
          <dt className="min-w-0 font-mono text-12 leading-5 wrap-anywhere">
            {name}
            {isRequired && <span className="font-sans text-ink-3"> · {t('reference.required')}</span>}
          </dt>
          <dd className="min-w-0 text-12 leading-5 text-ink-2 wrap-anywhere" lang="en">
            <span className="font-mono">{type}</span>
            {facts !== '' && <span className="text-ink-3"> · {facts}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
