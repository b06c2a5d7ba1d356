import { onTestFinished, vi } from 'vitest'

/** Presses twice like a browser: microtasks run between the presses, but no scheduled rendering. `act` would do both. */
export async function pressTwice(element: HTMLElement): Promise<void> {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  onTestFinished(() => void vi.unstubAllGlobals())
  element.click()
  await Promise.resolve()
  element.click()
}
