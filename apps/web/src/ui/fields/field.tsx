import { createContext, useContext, useId, type ReactNode } from 'react'
import { cn } from '#web/lib/cn.ts'

export interface FieldProps {
  label: string
  /** What is wrong and how to correct it; undefined without an error. */
  error?: string | undefined
  /** The field is wrong, and the message stands elsewhere. */
  isWrong?: boolean | undefined
  hint?: ReactNode
  /** Beside the label, for example "optional". */
  aside?: ReactNode
  children: ReactNode
  className?: string | undefined
}

export const controlClass =
  'min-h-12 w-full rounded-control border border-edge bg-card px-3.5 text-16 text-ink transition-colors duration-160 focus:border-accent focus:outline-2 focus:outline-offset-0 focus:outline-accent aria-invalid:border-danger disabled:opacity-60'

interface ControlProps {
  id: string
  'aria-describedby'?: string
  'aria-invalid'?: true
}
const ControlContext = createContext<ControlProps | null>(null)

/** Returns the props that connect a control inside a `Field` with its label, hint and error. */
export function useFieldControl(): ControlProps {
  const props = useContext(ControlContext)
  if (props === null) throw new Error('useFieldControl needs a Field above it')
  return props
}

/** A label, a control, a hint and an error, connected for screen readers. Plain HTML, as it is on a visitor's first page. */
export function Field({ label, error, isWrong = false, hint, aside, children, className }: FieldProps) {
  const id = useId()
  const describedBy = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`]
    .filter(Boolean)
    .join(' ')
  const control: ControlProps = {
    id,
    ...(describedBy !== '' && { 'aria-describedby': describedBy }),
    ...((isWrong || error !== undefined) && { 'aria-invalid': true })
  }
  return (
    <div className={cn('grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-1.5', className)}>
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="text-14 font-medium text-ink-2">
          {label}
        </label>
        {aside !== undefined && <span className="text-12 text-ink-3">{aside}</span>}
      </div>
      <ControlContext value={control}>{children}</ControlContext>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-14 text-ink-3">
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} role="alert" className="text-14 text-danger">
          {error}
        </p>
      )}
    </div>
  )
}
