import type { RefObject } from 'react'
import { useBackCloses } from './use-back-closes.ts'

/** Rendered while a popup is open: the browser's Back button closes it. `popup` is the `actionsRef` of its root. */
export function BackCloses({ popup }: { popup: RefObject<{ close: () => void } | null> }) {
  useBackCloses(true, () => popup.current?.close())
  return null
}
