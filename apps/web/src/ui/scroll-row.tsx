import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useCallback, useEffect, useRef, useState, type ComponentProps } from 'react'
import { cn } from '#web/lib/cn.ts'
import { showWhole } from '#web/lib/show-whole.ts'

type Side = 'before' | 'after'

/** Tracks whether items are hidden on the left or on the right. */
function useOutside() {
  const row = useRef<HTMLUListElement>(null)
  const [before, setBefore] = useState(false)
  const [after, setAfter] = useState(false)
  const look = useCallback(() => {
    if (row.current === null) return
    const { scrollLeft, clientWidth, scrollWidth } = row.current
    // Ignores fractions of a pixel.
    setBefore(scrollLeft > 1)
    setAfter(scrollLeft + clientWidth < scrollWidth - 1)
  }, [])
  // Runs after each render, as a new item makes the row longer.
  useEffect(look)
  useEffect(() => {
    window.addEventListener('resize', look)
    return () => window.removeEventListener('resize', look)
  }, [look])
  return { row, look, before, after }
}

/**
 * A list that scrolls sideways. A mouse cannot swipe, so there is an arrow on each side with hidden items. The keyboard
 * and screen readers move through the items, which scroll into view.
 */
export function ScrollRow({ className, ...props }: ComponentProps<'ul'>) {
  const { row, look, before, after } = useOutside()
  const scroll = (side: Side) => {
    const step = (row.current?.clientWidth ?? 0) * 0.8
    row.current?.scrollBy({ left: side === 'after' ? step : -step, behavior: 'smooth' })
  }
  return (
    <div onFocus={showWhole} className="relative min-w-0">
      <ul
        {...props}
        ref={row}
        onScroll={look}
        // The padding leaves room for the ring of a focused item.
        className={cn(
          '-mt-1 flex snap-x has-focus-visible:snap-none overflow-x-auto py-1 [scrollbar-width:none]',
          className
        )}
      />
      {before && <Arrow side="before" onPress={() => scroll('before')} />}
      {after && <Arrow side="after" onPress={() => scroll('after')} />}
    </div>
  )
}

function Arrow({ side, onPress }: { side: Side; onPress: () => void }) {
  const Icon = side === 'before' ? ChevronLeft : ChevronRight
  return (
    <button
      type="button"
      aria-hidden="true"
      tabIndex={-1}
      data-side={side}
      onClick={onPress}
      className={cn(
        'absolute inset-y-0 z-10 my-auto hidden size-11 place-items-center rounded-full border border-line bg-raised text-ink-2 shadow-float hover:text-ink pointer-fine:grid',
        side === 'before' ? '-left-3' : '-right-3'
      )}
    >
      <Icon size={20} />
    </button>
  )
}
