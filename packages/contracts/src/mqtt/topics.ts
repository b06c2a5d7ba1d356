/** Topics below `d/{deviceId}/down/`: server to board. */
export const downTopics = ['switch-update', 'config-update', 'schedules', 'firmware-update', 'ack'] as const
export type DownTopic = (typeof downTopics)[number]

/** Topics below `d/{deviceId}/up/`: board to server. */
export const upTopics = ['update-from-device', 'status', 'firmware-progress'] as const
export type UpTopic = (typeof upTopics)[number]

export const downTopic = (deviceId: string, name: DownTopic): string => `d/${deviceId}/down/${name}`
export const upTopic = (deviceId: string, name: UpTopic): string => `d/${deviceId}/up/${name}`

/** The one filter a board usually subscribes to. */
export const downFilter = (deviceId: string): string => `d/${deviceId}/down/+`
/** What one api instance says to another, by the name of its connection: within what the rules of each allow. */
export const peerTopic = (clientId: string): string => `d/${clientId}/down/peer`
/** What the api subscribes to. */
export const allUpFilter = 'd/+/up/+'
/** What the api may publish to. */
export const allDownFilter = 'd/+/down/+'

export const deviceClientId = (deviceId: string): string => `dev-${deviceId}`

const deviceIdPattern = /^[0-9a-f]{24}$/

/** The device id inside `dev-{deviceId}`, or null when it is not a board's client id. */
export function deviceIdOfClient(clientId: string): string | null {
  if (!clientId.startsWith('dev-')) return null
  const deviceId = clientId.slice('dev-'.length)
  return deviceIdPattern.test(deviceId) ? deviceId : null
}

/** The account of the api at the broker. */
export const serviceUsername = 'api'

/** A connection of the api, one or more an instance: with nothing in it that a filter takes for a wildcard or a level. */
export const isServiceClient = (clientId: string): boolean => /^api-[\w-]{1,64}$/.test(clientId)

/** Reads `d/{deviceId}/up/{name}`; null for anything else. String equality only, no wildcards. */
export function parseUpTopic(topic: string): { deviceId: string; name: UpTopic } | null {
  return parseTopic(topic, 'up', upTopics)
}

/** Reads `d/{deviceId}/down/{name}`; null for anything else. */
export function parseDownTopic(topic: string): { deviceId: string; name: DownTopic } | null {
  return parseTopic(topic, 'down', downTopics)
}

function parseTopic<Name extends string>(
  topic: string,
  direction: string,
  names: readonly Name[]
): { deviceId: string; name: Name } | null {
  const [root, deviceId, way, last, ...rest] = topic.split('/')
  if (root !== 'd' || way !== direction || deviceId === undefined || rest.length > 0) return null
  if (!deviceIdPattern.test(deviceId)) return null
  const name = names.find((candidate) => candidate === last)
  return name === undefined ? null : { deviceId, name }
}
