import { z } from 'zod'

/** The broker's request to the api at every CONNECT, shaped like EMQX's HTTP authenticator. */
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

/** Sent with status 200; any other answer counts as a denial, and the board gets CONNACK 3. `expire_at` in seconds. */
export const mqttAuthAnswer = z.object({
  result: z.enum(['allow', 'deny']),
  acl: z.array(aclRule).optional(),
  expire_at: z.number().optional()
})
export type MqttAuthAnswer = z.infer<typeof mqttAuthAnswer>

export const mqttAuthBatchMax = 64
/** The longest JSON of a full batch, of its questions as of its answers, each of which has the rules of a board. */
export const mqttAuthBatchMaxBytes = mqttAuthBatchMax * 4096
export const mqttAuthBatchRequest = z.array(mqttAuthRequest).min(1).max(mqttAuthBatchMax)
/** The batch as the api reads it: questions are parsed one by one, so that a malformed one does not affect the others. */
export const mqttAuthBatch = z.array(z.unknown()).min(1).max(mqttAuthBatchMax)
export const mqttAuthBatchAnswer = z.array(z.union([mqttAuthAnswer, z.object({ result: z.literal('ignore') })]))
export type MqttAuthBatchAnswer = z.infer<typeof mqttAuthBatchAnswer>

/** `DELETE` closes the connection; `GET` lists. Shaped like EMQX's management API. */
export const brokerClientsPath = '/api/v5/clients'

/** One connection in the response of `GET /api/v5/clients?limit=`. */
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
/** What the api reads of such a list, from any broker: RMQTT sends a bare array without a page around it. */
export const connectedClients = z.union([
  z.array(connectedClient),
  z.object({ data: z.array(connectedClient) }).transform(({ data }) => data)
])

/**
 * A refusal that the broker decided without asking the hook, reported to the api for the unauthorized log. `topic` is the
 * topic or filter, or `CONNECT`. `attempts` counts identical refusals reported together.
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
/** `POST`, with the same secret and address as `mqttAuthPath`; the response is ignored. */
export const mqttRefusedPath = '/internal/mqtt/refused'

/** The reason of the refusal that starts a quarantine: more than five takeovers of one client id in a minute. */
export const quarantineReason = 'quarantine'
