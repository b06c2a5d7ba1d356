/**
 * What had the focus may go with what it stood in, as the row of a list that is deleted: the keyboard would start at the
 * top of the document again. It goes on in `content` instead. Answers the undo.
 */
export function keepFocus(page: Document, content: HTMLElement): () => void {
  let last: EventTarget | null = null
  const note = ({ target }: FocusEvent): void => {
    last = target
  }
  const observer = new MutationObserver(() => {
    if (!(last instanceof Node) || last.isConnected || page.activeElement !== page.body) return
    last = null
    content.focus({ preventScroll: true })
  })
  page.addEventListener('focusin', note)
  observer.observe(content, { childList: true, subtree: true })
  // A dialog may go together with the button that opened it.
  observer.observe(page.body, { childList: true })
  return () => {
    page.removeEventListener('focusin', note)
    observer.disconnect()
  }
}
