import type { Router } from 'express'
import type { RouteHandler } from './http/call.ts'
import type { BattiSocket } from './sockets.ts'

/**
 * What a part adds to the product, besides what it offers to other parts. All parts are created before any starts. They
 * start in order of creation and stop in reverse.
 */
export interface Feature {
  /** Calls below the api's base path. */
  routes?: readonly RouteHandler[]
  /** Pages outside the base path. */
  pages?: readonly Router[]
  /** Listeners for every connected socket. */
  sockets?: readonly ((socket: BattiSocket) => void)[]
  /** Builds the indexes that the part needs; runs before anything starts. */
  indexes?(): Promise<unknown>
  start?(): void | Promise<void>
  /** Undoes `start`. */
  stop?(): void | Promise<void>
}

/**
 * Steps that later parts add to an operation of an earlier part. They run one after the other, the last added first: a later
 * part reads what an earlier one removes.
 */
export interface Hooks<Argument> {
  add(step: (argument: Argument) => Promise<unknown>): void
  run(argument: Argument): Promise<void>
}

export function createHooks<Argument>(): Hooks<Argument> {
  const steps: ((argument: Argument) => Promise<unknown>)[] = []
  return {
    add: (step) => void steps.push(step),
    async run(argument) {
      for (const step of steps.toReversed()) await step(argument)
    }
  }
}
