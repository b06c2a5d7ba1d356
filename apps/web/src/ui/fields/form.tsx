import { useEffect, useReducer, useRef, type ComponentProps } from 'react'

/** A form that is checked by the app. After a submit, or a refusal of the server, the first wrong field gets the focus. */
export function Form({ onSubmit, onInput, ...props }: ComponentProps<'form'>) {
  const form = useRef<HTMLFormElement>(null)
  const isChecked = useRef(true)
  // A second submit with the same faults renders nothing else.
  const [, renderAgain] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const wrong = isChecked.current ? null : form.current?.querySelector<HTMLElement>('[aria-invalid=true]')
    if (!wrong) return
    isChecked.current = true
    wrong.focus()
  })
  return (
    <form
      noValidate
      {...props}
      ref={form}
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
    />
  )
}
