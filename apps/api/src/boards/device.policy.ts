import { isStaff, owns, ownsAtHome, staffMay, type Actor, type Owned } from '../platform/people/actor.ts'

/** Users see their own boards. Staff see all, monitors only with one of the two permissions that show boards. */
export const maySeeDevice = (actor: Actor, device: Owned): boolean =>
  isStaff(actor) ? staffMay(actor, 'view devices') || staffMay(actor, 'view switches') : owns(actor, device)

/** Whether the actor may switch outlets and set levels, all on and all off included. */
export const mayControlDevice = (actor: Actor, device: Owned): boolean =>
  isStaff(actor) ? staffMay(actor, 'control switches') : owns(actor, device)

/** Whether the actor may change names, room and Wi-Fi, or delete the board. */
export const mayChangeDevice = (actor: Actor, device: Owned): boolean =>
  actor.role === 'admin' || ownsAtHome(actor, device)

/** Only the owner may read the Wi-Fi password. */
export const mayReadWifiPassword = (actor: Actor, device: Owned): boolean => ownsAtHome(actor, device)
