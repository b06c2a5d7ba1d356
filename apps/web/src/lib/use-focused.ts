import { useState } from 'react'

/** Whether the element that gets `watch` has the focus: what goes while it has would throw the keyboard back to the page's top. */
export function useFocused() {
  const [isFocused, setFocused] = useState(false)
  return { isFocused, watch: { onFocus: () => setFocused(true), onBlur: () => setFocused(false) } }
}
