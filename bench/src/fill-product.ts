import { apiBasePath } from '@batti/contracts'
import { randomBytes } from 'node:crypto'
import { Agent, request } from 'node:http'
import { macOf } from './mac-of.ts'
import type { Person, Product } from './product.ts'
import type { Target, TargetBoard } from './target.ts'

export interface Filled {
  target: Target
  people: Person[]
}

const atOnce = 4

/** Fills a product by its own API: people that the admin adds, boards that introduce themselves with a pairing code. */
export async function fillProduct(product: Product, counts: { users: number; boards: number }): Promise<Filled> {
  const call = caller(product.web)
  const { accessToken } = await logIn(call, product.admin)
  const people = Array.from({ length: counts.users }, (_, index) => ({
    email: `person${index}@example.com`,
    password: randomBytes(12).toString('hex')
  }))
  const users = await inTurns(people, async (person, index) => {
    const body = { ...person, name: `Person ${index}`, phone: String(9_800_000_000 + index), role: 'user' }
    await call('POST', '/users', body, accessToken)
    return { token: (await logIn(call, person)).accessToken }
  })
  const boards = await inTurns(
    Array.from({ length: counts.boards }, (_, index) => index),
    async (index): Promise<TargetBoard> => {
      const user = index % counts.users
      const claim = await call<{ userId: string }>('POST', '/device-claims', {}, users[user]?.token)
      const mac = macOf(index)
      const board = await call<{ deviceId: string; mqttPassword: string }>('POST', '/device-auth', {
        userId: claim.userId,
        deviceMac: mac,
        deviceCode: 'BT4',
        hwModel: 'batti-wall-4',
        osVersion: '1.4.0',
        nonce: randomBytes(12).toString('hex')
      })
      return { mac, deviceId: board.deviceId, password: board.mqttPassword, user }
    }
  )
  const broker = { host: '127.0.0.1', port: product.mqttPort, caPem: product.caPem }
  return { target: { socketUrl: product.web, broker, users, boards }, people }
}

type Call = <Data>(method: string, path: string, body: object, token?: string) => Promise<Data>

const logIn = (call: Call, { email, password }: Person): Promise<{ accessToken: string }> =>
  call('POST', '/user/login', { email, password })

/** Calls over kept connections; answers `data`. */
export function caller(web: string, maxSockets: number = atOnce): Call {
  const agent = new Agent({ keepAlive: true, maxSockets })
  return <Data>(method: string, path: string, body: object, token?: string) =>
    new Promise<Data>((resolve, reject) => {
      const text = JSON.stringify(body)
      const headers = {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` })
      }
      const sent = request(`${web}${apiBasePath}${path}`, { method, headers, agent }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () => {
          const said = Buffer.concat(chunks).toString()
          if ((answer.statusCode ?? 500) >= 300) reject(new Error(`${method} ${path}: ${said}`))
          else resolve((JSON.parse(said) as { data: Data }).data)
        })
      })
      sent.on('error', reject)
      sent.end(text)
    })
}

/** `work` for each item, a few at a time; results in the order of the items. */
async function inTurns<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Result>
): Promise<Result[]> {
  const results: Result[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) {
      const item = items[index]
      if (item !== undefined) results[index] = await work(item, index)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return results
}
