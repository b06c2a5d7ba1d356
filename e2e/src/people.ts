import { apiBasePath, defaultTimezone, deviceAuthPath, setupConfigPath, type OutboxMessage } from '@batti/contracts'
import type { Product } from './product.ts'
import { until } from './until.ts'
import type { Wall } from './wall.ts'

/** Calls the product's API and answers status and body. */
export async function call<Data = unknown>(
  product: Pick<Product, 'web'>,
  path: string,
  { method = 'POST', body, token }: { method?: string; body?: unknown; token?: string } = {}
): Promise<{ status: number; body: { code?: string; message?: string; data: Data } }> {
  const answer = await fetch(`${product.web}${apiBasePath}${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` })
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) })
  })
  const text = await answer.text()
  return { status: answer.status, body: JSON.parse(text) as { data: Data } }
}

/** The newest code that the outbox holds for somebody. */
export function codeFor(product: Pick<Product, 'outbox'>, email: string): Promise<string> {
  return until(`a code for ${email}`, async () => {
    const answer = await fetch(`${product.outbox}?to=${encodeURIComponent(email)}`, {
      headers: { accept: 'application/json' }
    })
    const messages = (await answer.json()) as OutboxMessage[]
    return messages.map(({ text }) => /\b\d{6}\b/.exec(text)?.[0]).find((code) => code !== undefined)
  })
}

export interface Signed {
  id: string
  email: string
  password: string
  token: string
}

export async function logIn(product: Pick<Product, 'web'>, email: string, password: string): Promise<Signed> {
  const { body } = await call<{ accessToken: string; user: { _id: string } }>(product, '/user/login', {
    body: { email, password }
  })
  return { id: body.data.user._id, email, password, token: body.data.accessToken }
}

/** Signs somebody up with the code from the outbox, and in. */
export async function signUp(product: Pick<Product, 'web' | 'outbox'>, name: string, phone: string): Promise<Signed> {
  const email = `${name.toLowerCase().replaceAll(' ', '.')}@example.com`
  const password = `a long walk ${name}`
  const registration = await call<{ registrationToken: string }>(product, '/user/register', {
    body: { name, email, phone, countryCode: '+977', password, address: 'Patan' }
  })
  const { registrationToken } = registration.body.data
  await call(product, '/user/verify-registration', { body: { otp: await codeFor(product, email), registrationToken } })
  return logIn(product, email, password)
}

/** Sets a board fresh from the factory up for somebody through its own page, and waits until it is online. */
export async function pairBoard(
  product: Product,
  wall: Wall,
  owner: Signed,
  { model, name }: { model: string; name: string }
): Promise<{ mac: string; deviceId: string }> {
  const { mac } = await wall.add(model, name)
  const { setupUrl } = await wall.when(mac, 'in setup mode', (board) => board.setupUrl !== null)
  const claim = await call<{ userId: string }>(product, '/device-claims', { body: {}, token: owner.token })
  const { hostname, port } = new URL(product.web)
  await fetch(new URL(setupConfigPath, setupUrl ?? ''), {
    method: 'POST',
    body: new URLSearchParams({
      ssid: 'Home',
      password: 'at home only',
      userId: claim.body.data.userId,
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
