/**
 * What had the focus may go with what it stood in, as the row of a list that is deleted: the keyboard would start at the
 * top of the document again. It goes on in `content` instead. Answers the undo.
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
    // What goes beside the page is a dialog, which may have taken along the button that opened it.
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
