import type { Boards } from '../../boards/boards.ts'
import type { ClaimableBoards } from '../../boards/claimable-boards.ts'
import { brokerForBoards } from '../../platform/config.ts'
import type { Platform } from '../../platform/platform.ts'
import { ensureIndexes } from '../../platform/store/ensure-indexes.ts'
import { createAnswerAgain } from './answer-again.ts'
import { createDeviceAuthService } from './device-auth.service.ts'
import { createDeviceClaimModel } from './device-claim.model.ts'
import { createDeviceClaimsRepository } from './device-claims.repository.ts'
import { deviceClaimRoutes } from './device-claims.routes.ts'
import { createDeviceClaimsService } from './device-claims.service.ts'

interface DeviceClaimsDeps extends Pick<Platform, 'config' | 'connection' | 'clock' | 'events' | 'isAlone' | 'log'> {
  boards: Pick<Boards, 'ca'>
  devices: { claimable: ClaimableBoards }
  people: {
    notify(
      userId: string,
      kind: 'board-claimed-again' | 'board-in-quarantine',
      facts: { target: string }
    ): Promise<void>
  }
  accounts: { onErase(step: (userId: string) => Promise<void>): void }
}

const sweepMs = 5000

/** Connects boards with their owners: pairing codes for people, credentials for boards. */
export function createDeviceClaimsFeature(deps: DeviceClaimsDeps) {
  const { config, connection, clock, events, log, boards, devices, people, accounts } = deps
  const model = createDeviceClaimModel(connection)
  const repository = createDeviceClaimsRepository(model)
  const claims = createDeviceClaimsService({
    claims: repository,
    clock,
    events,
    claimsPerMinute: config.LIMIT_CLAIMS,
    isAlone: deps.isAlone
  })
  const authenticateDevice = createDeviceAuthService({
    claims: repository,
    progress: claims,
    clock,
    events,
    log,
    allowLegacyPairing: config.ALLOW_LEGACY_PAIRING,
    refusalsPerMinute: config.LIMIT_DEVICE_REFUSALS,
    mqtt: {
      ...brokerForBoards(config),
      get caPem() {
        return boards.ca.current()
      }
    },
    boards: devices.claimable
  })
  const answers = createAnswerAgain(authenticateDevice, clock)
  accounts.onErase(claims.deleteOfUser)
  events.on('device-released', ({ deviceId }) => answers.forget(deviceId))
  events.on('device-online', ({ deviceId }) => claims.markOnline(deviceId))
  events.on('board-in-quarantine', ({ userId, boardName }) => {
    events.emit('user-notified', {
      userId,
      text: `Two boards use the credentials of ${boardName}. It is kept out for ten minutes; set it up again to give it new ones.`
    })
    return people.notify(userId, 'board-in-quarantine', { target: boardName })
  })
  events.on('board-coveted', ({ userId, boardName }) =>
    people.notify(userId, 'board-claimed-again', { target: boardName })
  )
  let sweeping: NodeJS.Timeout | undefined

  return {
    routes: deviceClaimRoutes({ claims, authenticateDevice: answers.authenticate }),
    indexes: () => ensureIndexes(model),
    start() {
      sweeping = setInterval(
        () =>
          void claims
            .sweepExpired()
            .catch((error: unknown) => log.warn({ err: error }, 'expired pairings could not be removed')),
        sweepMs
      )
    },
    stop: () => clearInterval(sweeping)
  }
}
