import type { messages as accounts } from './en/accounts.ts'
import type { messages as common } from './en/common.ts'
import type { messages as devices } from './en/devices.ts'
import type { messages as pairing } from './en/pairing.ts'
import type { messages as shell } from './en/shell.ts'
import type { messages as staff } from './en/staff.ts'

// A new area: its two catalogues, its line here, and its name in the `texts` of the screens that use it.
interface Areas {
  accounts: typeof accounts
  common: typeof common
  devices: typeof devices
  pairing: typeof pairing
  shell: typeof shell
  staff: typeof staff
}

export type Area = keyof Areas
/** Every text of the app. English is the source: an id that is not there does not compile. */
export type MessageId = { [A in Area]: keyof Areas[A] }[Area]
