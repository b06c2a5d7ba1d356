import type { FocusEvent } from 'react'

/**
 * For rows that scroll sideways: shows the focused item whole, as Chromium only scrolls to one that is wholly hidden. An item
 * that is pressed must not move.
 */
export function showWhole({ target }: FocusEvent<HTMLElement>): void {
  if (target.matches(':focus-visible')) target.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}
