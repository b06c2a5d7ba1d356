import { useState } from 'react'

/**
 * Returns whether the element that gets `watch` has the focus. Removing it then would move the focus to the top of the
 * page.
 */
export function useFocused() {
  const [isFocused, setFocused] = useState(false)
  return { isFocused, watch: { onFocus: () => setFocused(true), onBlur: () => setFocused(false) } }
}
