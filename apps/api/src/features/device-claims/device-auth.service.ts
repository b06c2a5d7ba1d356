import type { DeviceAuthRequest, DeviceCredentials } from '@batti/contracts'
import type { Logger } from 'pino'
import type { Clock } from '@batti/kit/clock'
import type { EventBus } from '../../platform/events.ts'
import type { ClaimableBoard, ClaimableBoards } from '../../boards/claimable-boards.ts'
import type { DeviceClaimsRepository } from './device-claims.repository.ts'
import type { DeviceClaimsService } from './device-claims.service.ts'
import { isPassword } from '../../boards/device-credentials.ts'
import { againForMs, hashRequest } from './answer-again.ts'
import { createFindClaim } from './find-claim.ts'
import { createIssueCredentials, settingsOf, type MqttAddress } from './issue-credentials.ts'
import { createPairBoard } from './pair-board.ts'
import { createPairingRefusals } from './pairing-refusals.ts'
import { readClaimedUserId } from './pairing-code.ts'

export interface DeviceAuthOptions {
  claims: DeviceClaimsRepository
  progress: Pick<DeviceClaimsService, 'advance'>
  clock: Clock
  events: EventBus
  log: Logger
  allowLegacyPairing: boolean
  /** Refusals a minute per address before it is rate-limited; 0 turns this off. */
  refusalsPerMinute: number
  mqtt: MqttAddress
  boards: ClaimableBoards
}

/**
 * POST /device-auth: a board asks for its MQTT credentials. A MAC is an address, never a credential: a pairing code of
 * the owner, or the board's own current password, decides. All refusals look the same.
 */
export function createDeviceAuthService(options: DeviceAuthOptions) {
  const { claims, progress, clock, events, boards } = options
  const { refuse, warnOwner } = createPairingRefusals(options)
  const { findClaim, waitForEarlier } = createFindClaim(options)
  const issue = createIssueCredentials(options)
  const pair = createPairBoard({ ...options, issue, refuse, waitForEarlier })

  const wasAnswered = (deviceId: string, request: DeviceAuthRequest): Promise<boolean> =>
    claims.wasAnswered(deviceId, hashRequest(request), new Date(clock.now() - againForMs))

  return async function authenticateDevice(
    request: DeviceAuthRequest,
    from: { ip: string; host: string }
  ): Promise<DeviceCredentials> {
    const claimed = readClaimedUserId(request.userId)
    if (claimed === null) return refuse(from.ip, request, 'no user id')
    const existing = await boards.findByMac(request.deviceMac)
    const ownerId = existing?.userId ?? null
    const token = request.deviceToken
    const hasOwnToken =
      existing !== null &&
      token !== undefined &&
      (isPassword(token, existing.credentialHash) || isPassword(token, existing.pendingHash))
    const isOwners = existing !== null && ownerId === claimed.userId
    // Its code is spent, but the answer may have been lost.
    if (isOwners && !hasOwnToken && (await wasAnswered(existing.id, request))) return renew(existing, request, from)
    // A board that renews its password without a code must not use the window that its owner opened for another board.
    const claim = hasOwnToken && claimed.code === null ? null : await findClaim(claimed, request.deviceMac)
    if (isOwners && (hasOwnToken || claim !== null)) {
      // Firmware in the field without a code may pair new boards only, and never replace a board that has an owner.
      if (!hasOwnToken && claimed.code === null) return refuse(from.ip, request, 'owned, and no code')
      return claim === null ? renew(existing, request, from) : pair(existing, claim, request, from)
    }
    if (existing !== null && ownerId !== null) {
      warnOwner(ownerId, existing)
      if (claim !== null && claimed.code !== null) {
        await progress.advance(claim, 'failed', {
          detail: 'This board belongs to another account. Its owner must delete it there first.'
        })
      }
      return refuse(from.ip, request, 'owned by somebody else')
    }
    if (claim === null) return refuse(from.ip, request, 'no valid code')
    return pair(existing, claim, request, from)
  }

  /** Announces the zone and colour that the board sent, for schedules and screens; a pairing announces its own. */
  async function renew(
    board: ClaimableBoard,
    request: DeviceAuthRequest,
    from: { ip: string; host: string }
  ): Promise<DeviceCredentials> {
    const credentials = await issue(board, request, from.host)
    if (credentials === null) return refuse(from.ip, request, 'changed hands')
    const { id: deviceId, deviceMac } = board
    const update = settingsOf(request)
    if (Object.keys(update).length > 0) events.emit('device-edited', { deviceId, deviceMac, update, at: clock.now() })
    return credentials
  }
}
export type DeviceAuthService = ReturnType<typeof createDeviceAuthService>
