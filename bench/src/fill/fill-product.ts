import { createClient } from '@batti/client/client'
import { createUser, login } from '@batti/contracts'
import { createSemaphore } from '@batti/kit/semaphore'
import { accountOf, type Account, type Product } from '@batti/launcher/testing/start-product'
import { randomBytes } from 'node:crypto'
import { introduceBoard } from './introduce-board.ts'
import { macOf } from './mac-of.ts'
import type { Target } from '../load/target.ts'

export type Person = Pick<Account, 'email' | 'password'>

export interface Filled {
  target: Target
  people: Person[]
}

const atOnce = 4

/** Fills a product through its own API: the admin adds people, and boards pair with a code. */
export async function fillProduct(product: Product, counts: { users: number; boards: number }): Promise<Filled> {
  const { run } = createSemaphore(atOnce)
  const client = createClient({ base: product.web })
  const logIn = async ({ email, password }: Person) =>
    (await client.call(login, { body: { email, password } })).accessToken
  const admin = client.as(await logIn(accountOf(product, 'admin')))
  const people = Array.from({ length: counts.users }, (_, index) => ({
    email: `person${index}@example.com`,
    password: randomBytes(12).toString('hex')
  }))
  const users = await Promise.all(
    people.map((person, index) =>
      run(async () => {
        const phone = String(9_800_000_000 + index)
        await admin.call(createUser, { body: { ...person, name: `Person ${index}`, phone, role: 'user' } })
        return { token: await logIn(person) }
      })
    )
  )
  const boards = await Promise.all(
    Array.from({ length: counts.boards }, (_, index) =>
      run(async () => {
        const user = index % counts.users
        return { ...(await introduceBoard(client.as(users[user]?.token ?? ''), macOf(index))), user }
      })
    )
  )
  return { target: { socketUrl: product.web, broker: product.broker, users, boards }, people }
}
