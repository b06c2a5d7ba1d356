/**
 * What had the focus may go with what it stood in, as the row of a list that is deleted: the keyboard would start at the
 * top of the document again. It goes on in `content` instead. Answers the undo.
 */
export function keepFocus(page: Document, content: HTMLElement): () => void {
  let last: EventTarget | null = null
  const note = ({ target }: FocusEvent): void => {
    last = target
  }
  // Of what stands beside the page, only a dialog that had the focus: it may go together with the button that opened it.
  const isOurs = ({ target, removedNodes }: MutationRecord): boolean =>
    target !== page.body || [...removedNodes].some((node) => last instanceof Node && node.contains(last))
  const observer = new MutationObserver((records) => {
    if (!(last instanceof Node) || last.isConnected || page.activeElement !== page.body) return
    if (!records.some(isOurs)) return
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
