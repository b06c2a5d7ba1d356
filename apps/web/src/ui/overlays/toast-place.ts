export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

export interface ToastPlace {
  at: 'top' | 'bottom'
  /** The distance from that edge of the window; null for the style sheet's default. */
  insetPx: number | null
}

/** The maximum width of a toast, and the free space beside it. */
const widthPx = 416
const edgePx = 8
/** The height of the quick navigation at the bottom of a phone. Toasts at the bottom are above it. */
const bottomPx = 96

const meet = (one: Box, other: Box) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom

/**
 * Returns a place where toasts of this total height cover neither the heading of the page or open dialog nor the `used`
 * controls: above the heading, else at the bottom, else below the heading; if none is free, at the top.
 */
export function toastPlace(
  view: { width: number; height: number },
  heightPx: number,
  { head, used }: { head: Box | null; used: readonly Box[] }
): ToastPlace {
  const wide = Math.min(widthPx, view.width - 2 * edgePx)
  const left = (view.width - wide) / 2
  const isFree = (top: number) => {
    const box = { left, right: left + wide, top, bottom: top + heightPx }
    return (head === null || !meet(box, head)) && used.every((other) => !meet(box, other))
  }
  if (isFree(edgePx)) return { at: 'top', insetPx: null }
  if (isFree(view.height - bottomPx - heightPx)) return { at: 'bottom', insetPx: null }
  const under = (head?.bottom ?? 0) + edgePx
  return { at: 'top', insetPx: under + heightPx < view.height && isFree(under) ? under : null }
}
