import { ChevronDown } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { cn } from '#web/lib/cn.ts'
import { wideScreen } from '#web/lib/use-media.ts'
import { panelClass } from './page.tsx'

/** A panel beside the page's content; on small screens it is above the content and closed at first. */
export function Disclosure({ title, children, className }: { title: string; children: ReactNode; className?: string }) {
  const [isOpen, setOpen] = useState(() => window.matchMedia(wideScreen).matches)
  return (
    <details
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className={cn(panelClass, 'group py-1 sm:py-2', className)}
    >
      <summary className="flex min-h-11 cursor-pointer list-none items-center justify-between gap-3 font-semibold [&::-webkit-details-marker]:hidden">
        {title}
        <ChevronDown
          aria-hidden="true"
          size={18}
          className="text-ink-3 transition-[rotate] duration-160 group-open:rotate-180"
        />
      </summary>
      <div className="pt-2 pb-3">{children}</div>
    </details>
  )
}
