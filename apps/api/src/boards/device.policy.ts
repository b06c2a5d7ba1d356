import { isStaff, owns, ownsAtHome, staffMay, type Actor, type Owned } from '../platform/people/actor.ts'

/** A person sees their own boards; staff see all, a monitor with one of the two permissions that show them. */
export const maySeeDevice = (actor: Actor, device: Owned): boolean =>
  isStaff(actor) ? staffMay(actor, 'view devices') || staffMay(actor, 'view switches') : owns(actor, device)

/** Toggles, speeds, all on and all off. */
export const mayControlDevice = (actor: Actor, device: Owned): boolean =>
  isStaff(actor) ? staffMay(actor, 'control switches') : owns(actor, device)

/** Names, rooms, Wi-Fi, deletion. */
export const mayChangeDevice = (actor: Actor, device: Owned): boolean =>
  actor.role === 'admin' || ownsAtHome(actor, device)

/** Whether this viewer may read the Wi-Fi password: its owner alone. */
export const mayReadWifiPassword = (actor: Actor, device: Owned): boolean => ownsAtHome(actor, device)
