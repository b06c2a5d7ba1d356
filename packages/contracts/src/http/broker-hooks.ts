import { z } from 'zod'

/** The broker's question to the api at every CONNECT, shaped like EMQX's HTTP authenticator. */
export const mqttAuthRequest = z.object({
  clientid: z.string(),
  username: z.string().optional(),
  password: z.string().optional(),
  peerhost: z.string().optional()
})
export type MqttAuthRequest = z.infer<typeof mqttAuthRequest>

export const aclRule = z.object({
  permission: z.enum(['allow', 'deny']),
  action: z.enum(['publish', 'subscribe']),
  topic: z.string()
})
export type AclRule = z.infer<typeof aclRule>

/** Always with status 200; anything else counts as a denial and is told to the board as CONNACK 3. `expire_at` in seconds. */
export const mqttAuthAnswer = z.object({
  result: z.enum(['allow', 'deny']),
  acl: z.array(aclRule).optional(),
  expire_at: z.number().optional()
})
export type MqttAuthAnswer = z.infer<typeof mqttAuthAnswer>

export const mqttAuthBatchMax = 64
export const mqttAuthBatchRequest = z.array(mqttAuthRequest).min(1).max(mqttAuthBatchMax)
/** The same as it is read: each is judged for itself, so that one that is no question leaves the others their answers. */
export const mqttAuthBatch = z.array(z.unknown()).min(1).max(mqttAuthBatchMax)
export const mqttAuthBatchAnswer = z.array(z.union([mqttAuthAnswer, z.object({ result: z.literal('ignore') })]))
export type MqttAuthBatchAnswer = z.infer<typeof mqttAuthBatchAnswer>

/** `DELETE` closes that connection now; `GET` lists. Shaped like EMQX's management API. */
export const brokerClientsPath = '/api/v5/clients'

/** One connection in the answer of `GET /api/v5/clients?limit=`. */
export const brokerClient = z.object({
  clientid: z.string(),
  username: z.string().nullable(),
  ip_address: z.string(),
  connected: z.boolean(),
  connected_at: z.string(),
  keepalive: z.int()
})
export type BrokerClient = z.infer<typeof brokerClient>
export const brokerClientList = z.object({
  data: z.array(brokerClient),
  meta: z.object({ count: z.int(), page: z.int(), limit: z.int() })
})

const connectedClient = z.object({
  clientid: z.string(),
  ip_address: z.string().nullish(),
  connected: z.boolean().default(true)
})
/** What the api reads of such a list, whoever made it: RMQTT has no page around it. */
export const connectedClients = z.union([
  z.array(connectedClient),
  z.object({ data: z.array(connectedClient) }).transform(({ data }) => data)
])

/**
 * What the broker refused by itself, without asking the hook: told to the api so that it stands in the unauthorized log.
 * `topic` is the topic or filter, or `CONNECT`. `attempts` counts the same refusal, told once.
 */
export const mqttRefusal = z.object({
  clientid: z.string(),
  username: z.string().nullable(),
  peerhost: z.string(),
  topic: z.string(),
  reason: z.string(),
  attempts: z.int().min(1)
})
export type MqttRefusal = z.infer<typeof mqttRefusal>
/** `POST`, secret and address as for `mqttAuthPath`; the answer is not read. */
export const mqttRefusedPath = '/internal/mqtt/refused'

/** The reason of the refusal that begins a quarantine: more than five takeovers of one client id in a minute. */
export const quarantineReason = 'quarantine'
