import { Search } from 'lucide-react'
import { TextField } from './text-field.tsx'

export interface SearchFieldProps {
  label: string
  value: string
  onChange: (text: string) => void
}

/** Narrows the list below it while somebody types. */
export function SearchField({ label, value, onChange }: SearchFieldProps) {
  return (
    <TextField
      type="search"
      label={label}
      className="w-full sm:w-80"
      before={<Search aria-hidden="true" size={18} />}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
