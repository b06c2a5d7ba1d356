import { createClient } from '@batti/client/client'
import { fetchTransport } from '@batti/client/transport'
import {
  apiBasePath,
  createDeviceClaim,
  defaultTimezone,
  deviceAuthPath,
  login,
  register,
  setupConfigPath,
  verifyRegistration
} from '@batti/contracts'
import { parseJson } from '@batti/kit/json'
import type { Product } from '@batti/launcher/testing/start-product'
import { codeShape, newIn } from './accounts/outbox.ts'
import type { Wall } from './wall.ts'

/** Calls the API like any client: any path below its base, any body (a string is sent as it is). Returns the raw answer. */
export async function call<Data = unknown>(
  product: Pick<Product, 'web'>,
  path: string,
  { method = 'POST', token, body }: { method?: string; token?: string; body?: unknown } = {}
): Promise<{ status: number; body: { code?: string; message?: string; data: Data } }> {
  const answer = await fetchTransport({
    method,
    url: `${product.web}${apiBasePath}${path}`,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` })
    },
    body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body)
  })
  return { status: answer.status, body: parseJson(answer.text) as { data: Data } }
}

export interface Signed {
  id: string
  email: string
  password: string
  token: string
}

export async function logIn(product: Pick<Product, 'web'>, email: string, password: string): Promise<Signed> {
  const { user, accessToken } = await createClient({ base: product.web }).call(login, { body: { email, password } })
  return { id: user._id, email, password, token: accessToken }
}

/** Registers a person with the code from the outbox, and logs them in. */
export async function signUp(product: Pick<Product, 'web' | 'outbox'>, name: string, phone: string): Promise<Signed> {
  const email = `${name.toLowerCase().replaceAll(' ', '.')}@example.com`
  const password = `a long walk ${name}`
  const client = createClient({ base: product.web })
  const { registrationToken } = await client.call(register, {
    body: { name, email, phone, countryCode: '+977', password, address: 'Patan' }
  })
  await client.call(verifyRegistration, {
    body: { otp: await newIn(product, email, { shape: codeShape }), registrationToken }
  })
  return logIn(product, email, password)
}

/** Sets up a new board for a person through its own setup page, and waits until it is online. */
export async function pairBoard(
  product: Product,
  wall: Wall,
  owner: Signed,
  { model, name }: { model: string; name: string }
): Promise<{ mac: string; deviceId: string }> {
  const { mac } = await wall.add(model, name)
  const { setupUrl } = await wall.when(mac, 'in setup mode', (board) => board.setupUrl !== null)
  const client = createClient({ base: product.web, token: owner.token })
  const { userId } = await client.call(createDeviceClaim, { body: {} })
  const { hostname, port } = new URL(product.web)
  await fetch(new URL(setupConfigPath, setupUrl ?? ''), {
    method: 'POST',
    body: new URLSearchParams({
      ssid: 'Home',
      password: 'at home only',
      userId,
      deviceId: '',
      serverUrl: hostname,
      serverPort: port,
      otherUrl: deviceAuthPath,
      mqttServerUrl: hostname,
      mqttServerPort: String(product.broker.port),
      activeColor: 'green',
      timezone: defaultTimezone
    })
  })
  const { deviceId } = await wall.when(
    mac,
    'online',
    ({ phase, unacknowledged }) => phase === 'online' && unacknowledged === 0
  )
  return { mac, deviceId: deviceId ?? '' }
}
