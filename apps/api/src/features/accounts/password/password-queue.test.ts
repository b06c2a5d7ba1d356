import { expect, test } from 'vitest'
import { createPasswordQueue, type Turn } from './password-queue.ts'

const stranger = (ip: string): Turn => ({ ip })

/** A queue with one slot, which is taken. Returns the order in which the others get it once it is free. */
function busyQueue() {
  const run = createPasswordQueue(1)
  const { promise, resolve } = Promise.withResolvers<void>()
  const order: string[] = []
  const done = [run(() => promise)]
  return {
    order,
    join: (name: string, turn?: Turn) => {
      const ended = run(async () => void order.push(name), turn)
      done.push(ended)
      return ended
    },
    free: async () => {
      resolve()
      await Promise.allSettled(done)
    }
  }
}

test('known addresses go first, then unknown ones in turn, one task of each', async () => {
  const queue = busyQueue()
  for (const name of ['a1', 'a2', 'a3']) void queue.join(name, stranger('203.0.113.1'))
  void queue.join('b1', stranger('203.0.113.2'))
  // Of one IPv6 network, whatever the address.
  for (const host of ['1', '2']) void queue.join(`c${host}`, stranger(`2001:db8:1:2::${host}`))
  void queue.join('home', { ip: '203.0.113.1', knownAccount: 'sita' })
  void queue.join('logged in')
  await queue.free()
  expect(queue.order).toEqual(['home', 'logged in', 'a1', 'b1', 'c1', 'a2', 'c2', 'a3'])
})

test('frequent logins from a known address do not block unknown ones', async () => {
  const queue = busyQueue()
  for (let index = 1; index <= 6; index += 1)
    void queue.join(`home${index}`, { ip: '203.0.113.1', knownAccount: 'sita' })
  void queue.join('stranger', stranger('203.0.113.2'))
  await queue.free()
  expect(queue.order).toEqual(['home1', 'home2', 'home3', 'stranger', 'home4', 'home5', 'home6'])
})

test('one address fills only its own queue, and all unknown ones together are limited', async () => {
  const queue = busyQueue()
  for (let index = 0; index < 40; index += 1) void queue.join(`a${index}`, stranger('203.0.113.1'))
  await expect(queue.join('one more', stranger('203.0.113.1'))).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  for (let index = 0; index < 460; index += 1) void queue.join(`b${index}`, stranger(`192.0.2.${index % 255}`))
  await expect(queue.join('too many', stranger('198.51.100.1'))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  void queue.join('home', { ip: '198.51.100.1', knownAccount: 'sita' })
  await queue.free()
  expect(queue.order).toHaveLength(501)
  expect(queue.order[0]).toBe('home')
})

test('neighbours who are known at one address have a queue each', async () => {
  const queue = busyQueue()
  const neighbour = (knownAccount: string): Turn => ({ ip: '203.0.113.1', knownAccount })
  for (let index = 0; index < 40; index += 1) void queue.join(`sita${index}`, neighbour('sita'))
  await expect(queue.join('one more', neighbour('sita'))).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  for (let index = 0; index < 150; index += 1) void queue.join(`n${index}`, neighbour(`n${index}`))
  await queue.free()
  expect(queue.order).toHaveLength(190)
  expect(queue.order.slice(0, 2)).toEqual(['sita0', 'n0'])
})

test('a task that fails frees its slot', async () => {
  const run = createPasswordQueue(1)
  await expect(run(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await run(() => Promise.resolve('yes'))).toBe('yes')
})
