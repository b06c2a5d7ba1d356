/**
 * Numbers that several parts of the product must agree on. The reasons for their values: docs/rules.md and docs/protocol.md.
 * Milliseconds unless the name says otherwise.
 */

/** How long a pending command waits for the board. */
export const deviceResponseTimeoutMs = 4000
export const levelMax = 255
/** How long Home's live line and the notification banner stay. */
export const liveNotificationMs = 5000
/** Search in the action log, and sorting by anything but time, cover this many of the newest rows that pass the other filters. */
export const searchedLogRowsMax = 5000
/** In dBm; a signal below this is weak. */
export const weakSignalDbm = -80
/** Reconnection of the realtime client. */
export const realtimeReconnectionAttempts = 5
export const realtimeReconnectionDelayMs = 1000

export const mqttPacketMaxBytes = 16 * 1024
export const mqttKeepaliveMinS = 15
export const mqttKeepaliveMaxS = 120
/** A board counts as offline after this long without a message. */
export const deviceSilenceMs = 150_000
/** Interval of a board's `status` heartbeat, plus or minus `statusJitterMs`. */
export const statusIntervalMs = 60_000
export const statusJitterMs = 10_000
/** How many boots the server remembers of a board, so that an earlier one never overwrites a later one. */
export const rememberedBoots = 8
/** A board keeps at least this many unacknowledged reports. */
export const reportBacklogMin = 64
/** A board repeats an unacknowledged report after 1, 2, 4 ... 30 s. */
export const reportRetryFirstMs = 1000
export const reportRetryMaxMs = 30_000

export const socketMessageMaxBytes = 16 * 1024

export const accessTokenMinutes = 15
export const refreshTokenDays = 30
export const refreshGraceMs = 10_000
export const codeLifetimeMs = 10 * 60_000
export const codeAttempts = 5
export const codeCooldownMs = 60_000
export const registrationLifetimeMs = 15 * 60_000
export const claimLifetimeMs = 10 * 60_000
/** How long a socket whose access token has expired may take to renew it. */
export const tokenRenewalGraceMs = 30_000
/** For this long after a change of address, reset codes go to the previously verified address. */
export const addressChangeGuardDays = 7
export const invitationHours = 72

/** For passwords set at sign-up, reset and change; login accepts the specified six. */
export const passwordMinLength = 8
export const passwordMaxLength = 256
export const loginPasswordMinLength = 6

export const schedulesPerDevice = 50
export const schedulesPerUser = 500
export const scheduleLateLimitMs = 5 * 60_000
export const listLimitMax = 500

/** Device setup defaults. */
export const defaultTimezone = 'Asia/Kathmandu'
export const defaultHttpPort = 49998
export const defaultMqttPort = 8883
export const defaultMetricsPort = 9464
/** Limit for all CAs together that boards are told to trust. */
export const caPemMaxLength = 12_000
export const deviceAuthPath = '/api/v1/device-auth'
export const setupConfigPath = '/setupconfig'
export const apiBasePath = '/api/v1'
/** Names one POST. Of several with the same name and caller only the first is executed; all get its answer. */
export const idempotencyHeader = 'idempotency-key'
/** Marks a call that was sent before: a POST gets the answer of the first, or is refused where that one is not known. */
export const repeatHeader = 'idempotency-repeat'
/** Paths below `apiBasePath`, for callers that load no schemas. */
export const loginPath = '/user/login'
export const logoutPath = '/user/logout'

/** Colour options; the last one is free text. The first eight are sent on the wire exactly as written. */
export const boardColours = ['green', 'blue', 'red', 'yellow', 'violet', 'Sky Blue', 'Aqua Blue', 'white'] as const
export const defaultBoardColour = 'Aqua Blue'

/** Maps a country code to its country. */
export const countryCodes = { '+977': 'Nepal', '+1': 'USA', '+44': 'UK', '+91': 'India', '+61': 'Australia' } as const
export const countryCodeList = ['+977', '+1', '+44', '+91', '+61'] as const satisfies (keyof typeof countryCodes)[]
export const defaultCountryCode = '+977'

export const monitorPermissions = [
  'view users',
  'view switches',
  'view devices',
  'view schedules',
  'view logs',
  'control switches'
] as const
export type MonitorPermission = (typeof monitorPermissions)[number]

export const roles = ['user', 'admin', 'monitor'] as const
export type Role = (typeof roles)[number]

export const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const
export type Weekday = (typeof weekdays)[number]
