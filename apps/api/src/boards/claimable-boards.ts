import type { OutletKind } from '@batti/contracts'

/** A board as pairing knows it. */
export interface ClaimableBoard {
  id: string
  deviceMac: string
  /** What its owner calls it, else what it is sold as. */
  name: string
  deviceCode: string
  hwModel: string
  /** Of each outlet. */
  kinds: readonly OutletKind[]
  userId: string | null
  /** SHA-256 of the MQTT password in use, and of the one that was issued and not used yet. */
  credentialHash: string | null
  pendingHash: string | null
}

/** What a board says of itself when it asks for its credentials. */
export interface BoardAccess {
  credentialHash?: string
  pendingHash: string | null
  osVersion: string
  activeColor?: string
  timezone?: string
}

/**
 * The boards that pairing may look up and take. Absence, and somebody who was quicker, are null.
 * @throws AppError LIMIT_REACHED where an account would get more boards than it may have.
 */
export interface ClaimableBoards {
  findByMac(deviceMac: string): Promise<ClaimableBoard | null>
  /** The outlets that boards of a type have; null where no such type is known here. */
  kindsOfType(deviceCode: string, hwModel: string): Promise<readonly OutletKind[] | null>
  /** Its owner filled in the form again. Outlets get the switches that an earlier pairing, cut off half-way, left out. */
  setUpAgain(id: string): Promise<void>
  /** A new board of a known kind, the user's from its first moment. */
  create(
    board: { deviceCode: string; hwModel: string; deviceMac: string },
    userId: string
  ): Promise<ClaimableBoard | null>
  /** Only while nobody owns it. */
  claim(id: string, userId: string): Promise<ClaimableBoard | null>
  setAccess(id: string, access: BoardAccess): Promise<void>
}
