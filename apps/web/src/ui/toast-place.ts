export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

export interface ToastPlace {
  at: 'top' | 'bottom'
  /** From that edge of the window; null: as the style sheet has it. */
  insetPx: number | null
}

/** How wide a toast grows, and what stays free beside it. */
const widthPx = 416
const edgePx = 8
/** What stands at the bottom of a phone: the quick-nav. Toasts there stand above it. */
const bottomPx = 96

const meet = (one: Box, other: Box) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom

/**
 * Where toasts of that height together cover neither the head of the page, or of the dialog that is open, nor what
 * somebody has just pressed: over the head, else at the bottom, else under the head; where nothing is free, at the top.
 */
export function toastPlace(
  view: { width: number; height: number },
  heightPx: number,
  { head, pressed }: { head: Box | null; pressed: Box | null }
): ToastPlace {
  const wide = Math.min(widthPx, view.width - 2 * edgePx)
  const left = (view.width - wide) / 2
  const isFree = (top: number) => {
    const box = { left, right: left + wide, top, bottom: top + heightPx }
    return [head, pressed].every((other) => other === null || !meet(box, other))
  }
  if (isFree(edgePx)) return { at: 'top', insetPx: null }
  if (isFree(view.height - bottomPx - heightPx)) return { at: 'bottom', insetPx: null }
  const under = (head?.bottom ?? 0) + edgePx
  return { at: 'top', insetPx: under + heightPx < view.height && isFree(under) ? under : null }
}
