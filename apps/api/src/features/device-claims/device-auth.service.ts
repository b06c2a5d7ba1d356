import type { DeviceAuthRequest, DeviceCredentials } from '@batti/contracts'
import type { Logger } from 'pino'
import { AppError, unavailable } from '../../platform/app-error.ts'
import type { Clock } from '@batti/kit/clock'
import type { EventBus } from '../../platform/events.ts'
import type { ClaimableBoard, ClaimableBoards } from '../../boards/claimable-boards.ts'
import type { DeviceClaimDocument } from './device-claim.model.ts'
import type { DeviceClaimsRepository } from './device-claims.repository.ts'
import type { DeviceClaimsService } from './device-claims.service.ts'
import { isPassword } from '../../boards/device-credentials.ts'
import { againForMs, hashRequest } from './answer-again.ts'
import { createIssueCredentials, settingsOf, type MqttAddress } from './issue-credentials.ts'
import { createPairingRefusals } from './pairing-refusals.ts'
import { hashPairingCode, readClaimedUserId } from './pairing-code.ts'

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
  const issue = createIssueCredentials(options)

  async function findClaim(
    { userId, code }: { userId: string; code: string | null },
    mac: string
  ): Promise<DeviceClaimDocument | null> {
    const now = new Date(clock.now())
    if (code === null) return options.allowLegacyPairing ? claims.findOpenWindow(userId, now) : null
    const codeHash = hashPairingCode(code)
    const claim = await claims.findUsable(userId, codeHash, { mac, now })
    if (claim === null) await waitForEarlier(userId, codeHash, mac)
    return claim
  }

  /** A board whose earlier request is not answered yet, or was cut off by the end of an instance, must not give up. */
  async function waitForEarlier(userId: string, codeHash: string, mac: string): Promise<void> {
    if (await claims.isBeingUsed(userId, codeHash, { mac, now: new Date(clock.now()) }))
      throw unavailable('This board is being set up. Please try again after 5 seconds.')
  }

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

  async function pair(
    existing: ClaimableBoard | null,
    claim: DeviceClaimDocument,
    request: DeviceAuthRequest,
    from: { ip: string; host: string }
  ): Promise<DeviceCredentials> {
    await progress.advance(claim, 'reached')
    const kinds = await boards.kindsOfType(request.deviceCode, request.hwModel)
    if (kinds === null) {
      const error = unknownType(request)
      // The code stays usable: the type can be added, or the board exchanged.
      await progress.advance(claim, 'failed', { detail: error.message })
      throw error
    }
    if (existing !== null && existing.kinds.join() !== kinds.join()) {
      // Its outlets differ from its record, so every report would be rejected. The code stays usable.
      const detail = `This board is a ${request.deviceCode} / ${request.hwModel}, but was added here as ${existing.deviceCode} / ${existing.hwModel}. Delete it here, then set it up again.`
      await progress.advance(claim, 'failed', { detail })
      return refuse(from.ip, request, 'another type of board')
    }
    // A board that sends no code must not use up the code that another board of the home is about to send.
    const isCoded = readClaimedUserId(request.userId)?.code !== null
    const spend = isCoded ? claims.spend : claims.spendWindow
    const userId = String(claim.userId)
    if ((await spend(claim._id, { mac: request.deviceMac, now: new Date(clock.now()) })) === null) {
      await waitForEarlier(userId, claim.codeHash, request.deviceMac)
      return refuse(from.ip, request, 'code was used')
    }
    const restoreCode = () => (isCoded ? claims.unspend(claim._id) : undefined)
    // The board retries with the same code, also if it already belongs to its owner but got no answer.
    const breakOff = async (error: unknown): Promise<never> => {
      await restoreCode()
      if (error instanceof AppError) await progress.advance(claim, 'failed', { detail: error.message })
      throw error
    }
    const device = await take(existing, userId, request)
      .then((taken) => taken ?? whyNotTaken(request, from.ip))
      .catch(breakOff)
    const finish = async (): Promise<DeviceCredentials> => {
      const issued = await issue(device, request, from.host)
      if (issued === null) return refuse(from.ip, request, 'changed hands')
      const answered = { to: hashRequest(request), at: new Date(clock.now()) }
      await progress.advance(claim, 'claimed', { deviceId: device.id, answered })
      return issued
    }
    const credentials = await finish().catch(breakOff)
    events.emit('device-claimed', { deviceId: device.id, deviceMac: device.deviceMac, userId })
    return credentials
  }

  async function whyNotTaken(request: DeviceAuthRequest, ip: string): Promise<never> {
    if ((await boards.kindsOfType(request.deviceCode, request.hwModel)) === null) throw unknownType(request)
    return refuse(ip, request, 'somebody else was quicker')
  }

  /** Assigns the board to the user; null if it got another owner, or its type was deleted, in between. */
  async function take(
    existing: ClaimableBoard | null,
    userId: string,
    request: DeviceAuthRequest
  ): Promise<ClaimableBoard | null> {
    if (existing === null) return boards.create(request, userId)
    if (existing.userId !== userId) return boards.claim(existing.id, userId)
    return (await boards.setUpAgain(existing.id, userId)) ? existing : null
  }
}
export type DeviceAuthService = ReturnType<typeof createDeviceAuthService>

function unknownType({ deviceCode, hwModel }: DeviceAuthRequest): AppError {
  const text = `Device type ${deviceCode} / ${hwModel} is not known here. Ask your supplier to add it.`
  return new AppError('DEVICE_TYPE_UNKNOWN', text, { errors: [{ path: 'deviceCode', message: text }] })
}
