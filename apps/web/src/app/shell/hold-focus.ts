/** The dialogs that are open, the topmost last, without those that are closing. */
const openDialogs = ':is([role=dialog], [role=alertdialog])[data-open]'

/**
 * Returns the focus to an open dialog when it moves to the page behind it. The library's own trap waits for the next frame:
 * on a slow machine a held Tab key is faster, and would operate the page. `content` is in the app's root, whose parts a
 * modal dialog hides. Returns the undo function.
 */
export function holdFocus(page: Document, content: HTMLElement): () => void {
  const own = content.closest('body > *')
  const entered = new WeakSet<Element>()
  const bringBack = ({ target }: FocusEvent): void => {
    if (!(target instanceof HTMLElement)) return
    const dialog = target.closest(openDialogs)
    if (dialog !== null) entered.add(dialog)
    if (own?.contains(target) !== true || target.closest('[aria-hidden=true]') === null) return
    const dialogs = page.querySelectorAll<HTMLElement>(openDialogs)
    const top = dialogs[dialogs.length - 1]
    if (top === undefined) return
    // The library is about to focus a field of a new dialog, and would not if the dialog itself had the focus.
    if (entered.has(top)) top.focus({ preventScroll: true })
    else target.blur()
  }
  page.addEventListener('focusin', bringBack)
  return () => page.removeEventListener('focusin', bringBack)
}
