import { staffScreens } from '#web/app/routing/staff-screens.ts'
import type { Area } from '#web/i18n/message-id.ts'

/** The texts that a staff page is given when it is opened: one that it lacks is a fault of the page. */
export function textsOf(path: string): readonly Area[] {
  const screen = staffScreens.find((one) => one.path === path)
  if (screen === undefined) throw new Error(`There is no page ${path}`)
  return screen.texts
}
