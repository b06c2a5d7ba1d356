import type { DeviceAuthRequest, DeviceCredentials } from '@batti/contracts'
import type { Clock } from '@batti/kit/clock'
import { AppError } from '../../platform/app-error.ts'
import type { EventBus } from '../../platform/events.ts'
import type { ClaimableBoard, ClaimableBoards } from '../../boards/claimable-boards.ts'
import { hashRequest } from './answer-again.ts'
import type { DeviceClaimDocument } from './device-claim.model.ts'
import type { DeviceClaimsRepository } from './device-claims.repository.ts'
import type { DeviceClaimsService } from './device-claims.service.ts'
import type { FindClaim } from './find-claim.ts'
import type { IssueCredentials } from './issue-credentials.ts'
import type { PairingRefusals } from './pairing-refusals.ts'
import { readClaimedUserId } from './pairing-code.ts'

export interface PairBoardDeps {
  claims: Pick<DeviceClaimsRepository, 'spend' | 'spendWindow' | 'unspend'>
  progress: Pick<DeviceClaimsService, 'advance'>
  clock: Pick<Clock, 'now'>
  events: Pick<EventBus, 'emit'>
  boards: ClaimableBoards
  issue: IssueCredentials
  refuse: PairingRefusals['refuse']
  waitForEarlier: FindClaim['waitForEarlier']
}

/**
 * Gives a board to the person whose pairing code it sent. The code is spent before the board changes hands, and given back
 * where the board may try again with it.
 */
export function createPairBoard(deps: PairBoardDeps) {
  const { claims, progress, clock, events, boards, issue, refuse, waitForEarlier } = deps

  return async function pairBoard(
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

function unknownType({ deviceCode, hwModel }: DeviceAuthRequest): AppError {
  const text = `Device type ${deviceCode} / ${hwModel} is not known here. Ask your supplier to add it.`
  return new AppError('DEVICE_TYPE_UNKNOWN', text, { errors: [{ path: 'deviceCode', message: text }] })
}
