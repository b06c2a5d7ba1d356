import { fetchTransport } from '@batti/client/transport'
import { useId, useState, type FormEvent } from 'react'
import { Button } from '#web/ui/button.tsx'
import { controlClass, Field, useFieldControl } from '#web/ui/fields/field.tsx'
import { Form } from '#web/ui/fields/form.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { errorMessage } from '#web/lib/api/api-error.ts'
import type { ApiCall } from '#web/features/api-reference/description.ts'
import { exampleOf, type Schemas } from '#web/features/api-reference/schema-lines.ts'
import { addressOf, readable } from '#web/features/api-reference/try-request.ts'
import { cn } from '#web/lib/cn.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useServices, useUser } from '#web/lib/services.ts'

interface Outcome {
  /** Null when no answer came. */
  status: number | null
  text: string
}

/** Sends the call with the present login, and shows the server's answer. */
export function TryCall({ call, schemas }: { call: ApiCall; schemas: Schemas }) {
  const t = useText()
  const user = useUser()
  const titleId = useId()
  const { session } = useServices()
  const json = call.body.find(({ type }) => type === 'application/json')?.schema ?? null
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [body, setBody] = useState(() => (json === null ? '' : JSON.stringify(exampleOf(json, schemas), null, 2)))
  const [isSending, setSending] = useState(false)
  const [outcome, setOutcome] = useState<Outcome | null>(null)

  async function send(event: FormEvent) {
    event.preventDefault()
    setSending(true)
    try {
      const token = call.access === 'account' ? await session.authorize() : null
      const answer = await fetchTransport({
        method: call.method,
        url: addressOf(call, values),
        headers: {
          ...(token !== null && { authorization: `Bearer ${token}` }),
          ...(json !== null && { 'content-type': 'application/json' })
        },
        body: json === null ? null : body
      })
      setOutcome({ status: answer.status, text: readable(answer.text) })
    } catch (error) {
      setOutcome({ status: null, text: errorMessage(error, t('common.failedBody')) ?? t('common.failedBody') })
    } finally {
      setSending(false)
    }
  }

  return (
    <section aria-labelledby={titleId} className="rounded-2xl border border-line bg-well/40 p-4">
      <h3 id={titleId} className="text-14 font-semibold">
        {t('reference.try')}
      </h3>
      {call.access === 'account' && (
        <p className="mt-1 text-14 text-ink-2">
          {user === null ? t('reference.needLogin') : t('reference.as', { name: user.name })}
        </p>
      )}
      <Form noValidate={false} isSaving={isSending} onSubmit={(event) => void send(event)} className="mt-3 grid gap-3">
        <div className="grid gap-3 sm:grid-cols-2">
          {call.parameters.map(({ name, required = false }) => (
            <TextField
              key={name}
              label={name}
              aside={required ? undefined : t('common.optional')}
              required={required}
              autoComplete="off"
              value={values[name] ?? ''}
              onChange={(event) => setValues({ ...values, [name]: event.target.value })}
            />
          ))}
        </div>
        {json !== null && (
          <Field label={t('reference.body')}>
            <JsonText value={body} onChange={setBody} />
          </Field>
        )}
        <div>
          <Button type="submit" variant="quiet" isBusy={isSending}>
            {t('reference.send')}
          </Button>
        </div>
      </Form>
      <output className="block">
        {outcome !== null && (
          <>
            <span className="mt-3 block text-14 font-semibold">
              {outcome.status === null ? t('reference.noAnswer') : t('reference.status', { status: outcome.status })}
            </span>
            <pre
              // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long answer scrolls, by keyboard too
              tabIndex={0}
              lang="en"
              className="mt-1.5 max-h-96 overflow-auto rounded-xl border border-line bg-card p-3 font-mono text-12"
            >
              {outcome.text}
            </pre>
          </>
        )}
      </output>
    </section>
  )
}

function JsonText({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  return (
    <textarea
      {...useFieldControl()}
      lang="en"
      spellCheck={false}
      rows={Math.min(14, value.split('\n').length + 1)}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className={cn(controlClass, 'py-2.5 font-mono text-14')}
    />
  )
}
