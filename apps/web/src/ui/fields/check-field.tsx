import { Checkbox } from './checkbox.tsx'

export interface CheckFieldProps {
  label: string
  value: boolean | undefined
  onChange: (value: boolean) => void
}

/** A labelled checkbox in a form. */
export function CheckField({ label, value = false, onChange }: CheckFieldProps) {
  return (
    <div className="flex min-h-11 items-center gap-3">
      <Checkbox isChecked={value} onChange={() => onChange(!value)} label={label} />
      <span aria-hidden="true" className="flex-1 cursor-pointer" onClick={() => onChange(!value)}>
        {label}
      </span>
    </div>
  )
}
