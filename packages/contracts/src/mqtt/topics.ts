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
/** The topic for messages between api instances, by the receiver's client id. It fits the ACL rules of the api's account. */
export const peerTopic = (clientId: string): string => `d/${clientId}/down/peer`
/** What the api subscribes to. */
export const allUpFilter = 'd/+/up/+'
/** What the api may publish to. */
export const allDownFilter = 'd/+/down/+'

export const deviceClientId = (deviceId: string): string => `dev-${deviceId}`

const deviceIdPattern = /^[0-9a-f]{24}$/

/** Returns the device id in `dev-{deviceId}`, or null if it is not a board's client id. */
export function deviceIdOfClient(clientId: string): string | null {
  if (!clientId.startsWith('dev-')) return null
  const deviceId = clientId.slice('dev-'.length)
  return deviceIdPattern.test(deviceId) ? deviceId : null
}

/** The api's user name at the broker. */
export const serviceUsername = 'api'

/** Whether this is a client id of the api (one or more per instance). It contains no topic separator or wildcard. */
export const isServiceClient = (clientId: string): boolean => /^api-[\w-]{1,64}$/.test(clientId)

/** Parses `d/{deviceId}/up/{name}`; null for anything else. Compares exact strings, without wildcards. */
export function parseUpTopic(topic: string): { deviceId: string; name: UpTopic } | null {
  return parseTopic(topic, 'up', upTopics)
}

/** Parses `d/{deviceId}/down/{name}`; null for anything else. */
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
