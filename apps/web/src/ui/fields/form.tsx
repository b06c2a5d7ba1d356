import { useEffect, useLayoutEffect, useReducer, useRef, type ComponentProps } from 'react'
import { cn } from '#web/lib/cn.ts'

export interface FormProps extends ComponentProps<'form'> {
  /** Locks the fields: what is typed after the submit would not be sent. False if the browser itself sends the form. */
  isSaving: boolean
}

/** A form that is checked by the app. After a submit, or a refusal of the server, the first wrong field gets the focus. */
export function Form({ onSubmit, onInput, isSaving, className, children, ...props }: FormProps) {
  const form = useRef<HTMLFormElement>(null)
  const isChecked = useRef(true)
  // A second submit with the same faults renders nothing else.
  const [, renderAgain] = useReducer((count: number) => count + 1, 0)
  // A locked field cannot have the focus: the form has it meanwhile.
  useLayoutEffect(() => {
    const own = form.current
    const field = document.activeElement
    if (!isSaving || own === null || !(field instanceof HTMLElement) || !own.contains(field)) return
    own.tabIndex = -1
    own.focus({ preventScroll: true })
    return () => {
      if (document.activeElement === own) field.focus({ preventScroll: true })
      // Removed last, as Chromium takes the focus of an element with its tabindex.
      own.removeAttribute('tabindex')
    }
  }, [isSaving])
  useEffect(() => {
    // A field that is still marked from the last answer cannot have the focus while it is locked.
    const wrong = isSaving || isChecked.current ? null : form.current?.querySelector<HTMLElement>('[aria-invalid=true]')
    if (!wrong) return
    isChecked.current = true
    wrong.focus()
  })
  return (
    <form
      noValidate
      {...props}
      aria-busy={isSaving || undefined}
      ref={form}
      // The focus of the form is only kept for a field: it shows no frame.
      className={cn('outline-none', className)}
      onSubmit={(event) => {
        isChecked.current = false
        renderAgain()
        onSubmit?.(event)
      }}
      // A refusal that arrives while somebody types takes the focus from nobody.
      onInput={(event) => {
        isChecked.current = true
        onInput?.(event)
      }}
    >
      <div inert={isSaving} className="contents">
        {children}
      </div>
    </form>
  )
}
