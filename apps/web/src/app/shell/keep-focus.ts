/**
 * Moves the focus to `content` when the focused element is removed, for example with a deleted row. Otherwise the
 * keyboard would start at the top of the document again. Returns the undo function.
 */
export function keepFocus(page: Document, content: HTMLElement): () => void {
  const own = content.closest('body > *')
  let last: EventTarget | null = null
  let wasInDialog = false
  const note = ({ target }: FocusEvent): void => {
    last = target
    wasInDialog = target instanceof Node && own?.contains(target) !== true
  }
  const observer = new MutationObserver((records) => {
    if (!(last instanceof Node) || last.isConnected || page.activeElement !== page.body) return
    // An element removed beside the page is a dialog; the button that opened it may be gone too.
    if (!wasInDialog && records.every(({ target }) => target === page.body)) return
    last = null
    content.focus({ preventScroll: true })
  })
  page.addEventListener('focusin', note)
  observer.observe(content, { childList: true, subtree: true })
  observer.observe(page.body, { childList: true })
  return () => {
    page.removeEventListener('focusin', note)
    observer.disconnect()
  }
}
