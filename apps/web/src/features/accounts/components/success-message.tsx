import { CircleCheck } from 'lucide-react'

/** A success message for the moment before the page changes. */
export function SuccessMessage({ text }: { text: string }) {
  return (
    <output className="grid animate-rise justify-items-center gap-3 py-6 text-center">
      <CircleCheck aria-hidden="true" size={48} strokeWidth={1.5} className="text-ok" />
      <span className="text-16 font-semibold">{text}</span>
    </output>
  )
}
