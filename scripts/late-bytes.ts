/**
 * Preloaded into every process of `npm test -- --late`. Delays the data of sockets and pipes, mostly by milliseconds,
 * sometimes by a third of a second, always in order; timers are late, too. A test that fails under this waits for one thing
 * but asserts another one that arrives with a later message, so it would also fail on a slow machine.
 */
import { Socket } from 'node:net'

const usual = { share: 0.5, ms: 20 }
const rare = { share: 0.03, ms: 300 }
/** Number of delayed chunks per socket before back-pressure, as with a full buffer. */
const heldAtOnce = 4

const { push } = Socket.prototype
const { setTimeout: wait } = globalThis
interface Held {
  chunk: unknown
  encoding: BufferEncoding | undefined
}
const held = new WeakMap<Socket, Held[]>()

function delayMs(): number {
  const chance = Math.random()
  if (chance < rare.share) return Math.random() * rare.ms
  return chance < usual.share ? Math.random() * usual.ms : 0
}

function deliverNext(socket: Socket, waiting: Held[]): void {
  wait(() => {
    const [next] = waiting
    if (next !== undefined && !socket.destroyed) {
      push.call(socket, next.chunk, next.encoding)
      // The end event needs a read.
      if (next.chunk === null) socket.read(0)
    }
    waiting.shift()
    if (waiting.length === 0) held.delete(socket)
    else deliverNext(socket, waiting)
  }, delayMs())
}

Socket.prototype.push = function pushLate(this: Socket, chunk: unknown, encoding?: BufferEncoding): boolean {
  const waiting = held.get(this) ?? []
  waiting.push({ chunk, encoding })
  if (waiting.length === 1) {
    held.set(this, waiting)
    deliverNext(this, waiting)
  }
  return waiting.length < heldAtOnce && !this.isPaused()
}

globalThis.setTimeout = new Proxy(wait, {
  apply: (target, self, [run, ms = 0, ...args]: [unknown, number?, ...unknown[]]): unknown =>
    Reflect.apply(target, self, [run, ms + delayMs(), ...args])
})
