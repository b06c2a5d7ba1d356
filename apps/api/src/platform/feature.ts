import type { Router } from 'express'
import type { RouteHandler } from './http/call.ts'
import type { BattiSocket } from './sockets.ts'

/**
 * What a part of the product adds to it, beside what it gives to other parts. Everything is made before anything starts;
 * parts start in the order in which they were made and stop in reverse.
 */
export interface Feature {
  /** Calls below the api's base path. */
  routes?: readonly RouteHandler[]
  /** Pages outside it. */
  pages?: readonly Router[]
  /** Listens to every socket that connects. */
  sockets?: readonly ((socket: BattiSocket) => void)[]
  /** Makes the indexes that it needs; runs before anything starts. */
  indexes?(): Promise<unknown>
  start?(): void | Promise<void>
  /** Undoes `start`. */
  stop?(): void | Promise<void>
}

/** Steps that later parts add to something that an earlier part does; they run one after the other, in that order. */
export interface Hooks<Argument> {
  add(step: (argument: Argument) => Promise<unknown>): void
  run(argument: Argument): Promise<void>
}

export function createHooks<Argument>(): Hooks<Argument> {
  const steps: ((argument: Argument) => Promise<unknown>)[] = []
  return {
    add: (step) => void steps.push(step),
    async run(argument) {
      for (const step of steps) await step(argument)
    }
  }
}
