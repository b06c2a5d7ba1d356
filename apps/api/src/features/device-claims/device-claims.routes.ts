import { createDeviceClaim, deviceAuth, getDeviceClaim } from '@batti/contracts'
import { on, type RouteHandler } from '../../platform/http/call.ts'
import type { DeviceAuthService } from './device-auth.service.ts'
import type { DeviceClaimsService } from './device-claims.service.ts'

export function deviceClaimRoutes(options: {
  claims: DeviceClaimsService
  authenticateDevice: DeviceAuthService
}): RouteHandler[] {
  const { claims, authenticateDevice } = options
  return [
    on(createDeviceClaim, ({ actor }) => claims.create(actor)),
    on(getDeviceClaim, ({ actor, params }) => claims.get(actor, params.id)),
    // Unless another name is configured, boards reach the broker by the same host name as this server.
    on(deviceAuth, ({ body, ip, http }) => authenticateDevice(body, { ip, host: http.req.hostname }))
  ]
}
