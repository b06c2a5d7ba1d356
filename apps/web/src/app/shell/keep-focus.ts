/**
 * Moves the focus to `content` when the focused element is removed, for example with a deleted row. Otherwise the
 * keyboard would start at the top of the document again. Returns the undo function.
 */
export function keepFocus(page: Document, content: HTMLElement): () => void {
  const own = content.closest('body > *')
  let last: EventTarget | null = null
  let wasInDialog = false
  const note = (target: EventTarget | null): void => {
    last = target
    wasInDialog = target instanceof Node && own?.contains(target) !== true
  }
  const onFocus = ({ target }: FocusEvent): void => note(target)
  // The page is shown, and may be used, before this file is loaded.
  note(page.activeElement)
  const observer = new MutationObserver((records) => {
    if (!(last instanceof Node) || last.isConnected || page.activeElement !== page.body) return
    // An element removed beside the page is a dialog; the button that opened it may be gone too.
    if (!wasInDialog && records.every(({ target }) => target === page.body)) return
    last = null
    content.focus({ preventScroll: true })
  })
  page.addEventListener('focusin', onFocus)
  observer.observe(content, { childList: true, subtree: true })
  observer.observe(page.body, { childList: true })
  return () => {
    page.removeEventListener('focusin', onFocus)
    observer.disconnect()
  }
}
