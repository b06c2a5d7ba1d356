interface Details {
  reason: string
  trigger: Element | null | undefined
}

/**
 * For `onOpenChange` of a popup: after Escape its button has the focus at once. The library moves it only when the
 * popup has faded; until then the next key would press what is in the closing popup.
 */
export function focusAfterEscape(isOpen: boolean, { reason, trigger }: Details): void {
  if (!isOpen && reason === 'escape-key' && trigger instanceof HTMLElement) trigger.focus({ preventScroll: true })
}
