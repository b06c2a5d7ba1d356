import type { ComponentProps } from 'react'
import { cn } from '../../lib/cn.ts'
import { controlClass, Field, useFieldControl, type FieldProps } from './field.tsx'

type AreaProps = Omit<ComponentProps<'textarea'>, 'children' | 'id'>

/** Several lines of text with their label. */
export function TextArea({
  label,
  error,
  hint,
  aside,
  className,
  ...props
}: AreaProps & Omit<FieldProps, 'children' | 'className'>) {
  return (
    <Field label={label} error={error} hint={hint} aside={aside} className={className}>
      <Area {...props} />
    </Field>
  )
}

function Area(props: AreaProps) {
  return <textarea {...props} {...useFieldControl()} className={cn(controlClass, 'min-h-24 py-3')} />
}
