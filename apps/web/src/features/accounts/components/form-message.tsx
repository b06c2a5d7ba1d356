import { cn } from '#web/lib/cn.ts'

const boxClass = 'block rounded-control px-3.5 py-2.5 text-14 font-medium'

/** An error or a success message of a whole form. */
export function FormMessage({ text, isFault }: { text: string; isFault: boolean }) {
  if (!isFault) return <output className={cn(boxClass, 'bg-accent-soft text-ink')}>{text}</output>
  return (
    <p role="alert" className={cn(boxClass, 'animate-shake-once bg-danger-soft text-danger')}>
      {text}
    </p>
  )
}
