import type { ComponentProps, ReactNode } from 'react'
import { cn } from '#web/lib/cn.ts'
import { controlClass, Field, useFieldControl, type FieldProps } from './field.tsx'

type InputProps = Omit<ComponentProps<'input'>, 'children' | 'id'>

export interface TextFieldProps extends InputProps, Omit<FieldProps, 'children' | 'className'> {
  /** Inside the box, before or after the text. */
  before?: ReactNode
  after?: ReactNode
}

/** A labelled input for one line. Works with react-hook-form's `register` and as a controlled input. */
export function TextField({ label, error, isWrong, hint, aside, before, after, className, ...props }: TextFieldProps) {
  return (
    <Field label={label} error={error} isWrong={isWrong} hint={hint} aside={aside} className={className}>
      <div className="relative">
        {before !== undefined && (
          <span className="absolute inset-y-0 left-3.5 grid place-items-center text-ink-3">{before}</span>
        )}
        <Input
          {...props}
          className={cn(controlClass, before !== undefined && 'pl-11', after !== undefined && 'pr-13')}
        />
        {after !== undefined && <span className="absolute inset-y-0 right-0.5 grid place-items-center">{after}</span>}
      </div>
    </Field>
  )
}

function Input(props: InputProps) {
  return <input {...props} {...useFieldControl()} />
}
