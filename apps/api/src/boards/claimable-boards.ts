import type { OutletKind } from '@batti/contracts'

/** What pairing knows of a board. */
export interface ClaimableBoard {
  id: string
  deviceMac: string
  /** The name its owner gave it, else the name of its type. */
  name: string
  deviceCode: string
  hwModel: string
  /** The kind of each outlet. */
  kinds: readonly OutletKind[]
  userId: string | null
  /** SHA-256 of the MQTT password in use, and of the one that was issued but not used yet. */
  credentialHash: string | null
  pendingHash: string | null
}

/** What a board reports when it asks for its credentials. */
export interface BoardAccess {
  credentialHash?: string
  pendingHash: string | null
  osVersion: string
  activeColor?: string
  timezone?: string
}

/**
 * The boards that pairing may look up and claim. Null means that there is none, or that somebody else was quicker.
 * @throws AppError LIMIT_REACHED where an account would get more boards than it may have.
 */
export interface ClaimableBoards {
  findByMac(deviceMac: string): Promise<ClaimableBoard | null>
  /** Returns the outlet kinds of a board type; null for an unknown type. */
  kindsOfType(deviceCode: string, hwModel: string): Promise<readonly OutletKind[] | null>
  /**
   * Handles an owner who submits the setup form again. Creates the switches that an interrupted pairing left out. Returns
   * false if the board is not that user's any more.
   */
  setUpAgain(id: string, userId: string): Promise<boolean>
  /** Creates a board of a known type that belongs to the user from the start. */
  create(
    board: { deviceCode: string; hwModel: string; deviceMac: string },
    userId: string
  ): Promise<ClaimableBoard | null>
  /** Claims a board, only while it has no owner. */
  claim(id: string, userId: string): Promise<ClaimableBoard | null>
  /** Returns false, and stores nothing, if the board has another owner by now or was deleted. */
  setAccess(board: Pick<ClaimableBoard, 'id' | 'userId'>, access: BoardAccess): Promise<boolean>
}
