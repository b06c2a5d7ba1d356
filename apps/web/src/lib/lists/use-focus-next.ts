import { useLayoutEffect, useRef, type FocusEvent } from 'react'

/**
 * When an item that had the focus has left the list, the item that took its place gets it, or, of an empty list, what is
 * shown instead: otherwise the focus would be at the top of the page.
 */
export function useFocusNext() {
  const ref = useRef<HTMLDivElement>(null)
  const focused = useRef(-1)
  useLayoutEffect(() => {
    if (focused.current < 0 || document.activeElement !== document.body) return
    const left = itemsOf(ref.current)
    const place = left[Math.min(focused.current, left.length - 1)] ?? ref.current
    place?.querySelector<HTMLElement>('a, button')?.focus()
  })
  return {
    ref,
    onFocus({ target, currentTarget }: FocusEvent) {
      focused.current = itemsOf(currentTarget).findIndex((item) => item.contains(target))
    },
    onBlur() {
      focused.current = -1
    }
  }
}

const itemsOf = (list: Element | null): Element[] => [...(list?.querySelectorAll('li') ?? [])]
