import { isRecord } from '@batti/kit/json'
import { zodResolver } from '@hookform/resolvers/zod'
import { useId, useRef, type FormEvent } from 'react'
import { useForm, type DefaultValues, type FieldValues, type Path } from 'react-hook-form'
import type { z } from 'zod'
import { fieldErrors } from '#web/lib/api/api-error.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { notify } from '#web/lib/notify.ts'
import { useSave } from '#web/lib/use-save.ts'
import { faultWords } from './fault-words.ts'

type FormSchema<Draft, Body> = z.ZodType<Body, Draft>

export interface RouteFormOptions<Draft extends FieldValues, Body> {
  /** The schema of the call: `route.body`, or a part of it. */
  rules: FormSchema<Draft, Body>
  initial: DefaultValues<Draft>
  /** The name of the file that `save` sends beside the body. */
  file?: string
  save: (body: Body) => Promise<unknown>
  onSaved: () => void
  /** Toast after a success. */
  done?: string
  /** Message when the server gives none. */
  failed: string
}

export interface RouteForm {
  id: string
  isDirty: boolean
  isSaving: boolean
  submit: (event: FormEvent) => void
}

/** The error of a list may be that of one of its entries. */
const messageOf = (error: unknown): unknown =>
  Array.isArray(error)
    ? error.map(messageOf).find((message) => typeof message === 'string')
    : isRecord(error) && error['message']

/**
 * A form validated by the contracts' schema: errors are shown beside their fields before anything is sent, and the
 * server's refusals too. The fields' names are the call's.
 */
export function useRouteForm<Draft extends FieldValues, Body>({
  rules,
  initial,
  file = '',
  save,
  onSaved,
  done,
  failed
}: RouteFormOptions<Draft, Body>) {
  const t = useText()
  const id = useId()
  const otherTask = useRef<((body: Body) => Promise<unknown>) | null>(null)
  const form = useForm<Draft, unknown, Body>({
    // The library's types expect zod's classes, not the interface that they implement.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a schema of these very types
    resolver: zodResolver(rules as never) as never,
    defaultValues: initial,
    // The library focuses native inputs only; `Form` does it.
    shouldFocusError: false
  })
  const { errors, isDirty, isSubmitting } = form.formState
  /** The fields that the form shows at present: a refusal of any other field would be said nowhere. */
  const drawn = new Set<string>()

  const saving = useSave((body: Body, task: (body: Body) => Promise<unknown>) => task(body), {
    ...(done !== undefined && { done }),
    failed,
    onRefused: (message, error) => {
      const faults = Object.entries(fieldErrors(error))
      const elsewhere = faults.filter(([name]) => !drawn.has(name))
      for (const [name, fault] of faults) if (drawn.has(name)) form.setError(pathOf(name), { message: fault })
      // An error shown beside its field needs no toast.
      if (elsewhere.length === faults.length) notify.error(message)
      else for (const [name, fault] of elsewhere) notify.error(`${name}: ${faultWords(t, fault)}`)
    }
  })
  async function send(body: Body, task: (body: Body) => Promise<unknown>) {
    if (await saving.save(body, task)) onSaved()
  }
  // A field's name is a path into the draft; the library's type does not accept a plain string.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked against the draft above
  const pathOf = (name: string) => name as Path<Draft>
  const errorOf = (name: Path<Draft>): string | undefined => {
    drawn.add(name)
    const message = messageOf(errors[name])
    return typeof message === 'string' && message !== '' ? faultWords(t, message) : undefined
  }
  return {
    id,
    isDirty,
    isSaving: isSubmitting,
    submit: (event: FormEvent) => {
      const task = otherTask.current ?? save
      otherTask.current = null
      void form.handleSubmit((body) => send(body, task))(event)
    },
    /** Submits with another call: "Save as New". */
    submitAs: (task: (body: Body) => Promise<unknown>) => {
      otherTask.current = task
      const element = document.getElementById(id)
      if (element instanceof HTMLFormElement) element.requestSubmit()
    },
    /** Props of a native input: its name, its events and its error. */
    field: (name: Path<Draft>) => ({ ...form.register(name), error: errorOf(name) }),
    /** Props of a native input that may stay empty, and is then left out of the call. */
    optional: (name: Path<Draft>) => ({
      ...form.register(name, { setValueAs: (value: unknown) => (value === '' ? undefined : value) }),
      error: errorOf(name)
    }),
    /** Props of a custom control: its value, its change handler and its error. */
    choice: <Name extends Path<Draft>>(name: Name) => ({
      // oxlint-disable-next-line react/incompatible-library -- said of a compiler that this app does not use
      value: form.watch(name),
      // Read only where it is shown.
      get error() {
        return errorOf(name)
      },
      onChange: (value: Parameters<typeof form.setValue<Name>>[1]) =>
        form.setValue(name, value, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
    }),
    /** Props of the file's field. Another file takes the server's refusal away. */
    picked: (onChange: (file: File | null) => void) => ({
      name: file,
      error: errorOf(pathOf(file)),
      onChange: (picked: File | null) => {
        form.clearErrors(pathOf(file))
        onChange(picked)
      }
    }),
    /** Props of a text input that is parsed to another type, such as a list of numbers. */
    read: (name: Path<Draft>, setValueAs: (text: unknown) => unknown) => ({
      ...form.register(name, { setValueAs }),
      error: errorOf(name)
    })
  }
}
