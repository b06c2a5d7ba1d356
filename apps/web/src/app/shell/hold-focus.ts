/** The dialogs that are open, the topmost last, without those that are closing. */
const openDialogs = ':is([role=dialog], [role=alertdialog])[data-open]'

/**
 * Returns the focus to an open dialog when it moves to the page behind it. The library's own trap waits for the next frame:
 * on a slow machine a held Tab key is faster, and would operate the page. `content` is in the app's root, whose parts a
 * modal dialog hides. Returns the undo function.
 */
export function holdFocus(page: Document, content: HTMLElement): () => void {
  const own = content.closest('body > *')
  const bringBack = ({ target }: FocusEvent): void => {
    if (!(target instanceof Element) || own?.contains(target) !== true) return
    if (target.closest('[aria-hidden=true]') === null) return
    const dialogs = page.querySelectorAll<HTMLElement>(openDialogs)
    dialogs[dialogs.length - 1]?.focus({ preventScroll: true })
  }
  page.addEventListener('focusin', bringBack)
  return () => page.removeEventListener('focusin', bringBack)
}
