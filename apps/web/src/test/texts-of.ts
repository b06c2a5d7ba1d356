import { staffScreens } from '#web/app/routing/staff-screens.ts'
import type { Area } from '#web/i18n/message-id.ts'

/** Returns the text areas that a staff page declares; a missing one is a fault of the page. */
export function textsOf(path: string): readonly Area[] {
  const screen = staffScreens.find((one) => one.path === path)
  if (screen === undefined) throw new Error(`There is no page ${path}`)
  return screen.texts
}
