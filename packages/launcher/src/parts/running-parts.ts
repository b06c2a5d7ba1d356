import type { Timers } from '@batti/kit/clock'
import { messageOf } from '@batti/kit/message-of'
import { join } from 'node:path'
import { databaseUri, type Part, type PartName } from './parts.ts'
import type { Progress } from '../launch/progress.ts'
import type { RunRecord } from './run-record.ts'
import { createSupervisor } from './supervisor.ts'

/** The processes of the product and the address of their database. Each change is stored in the folder's run record. */
export interface RunningParts {
  /** Starts independent parts in parallel. Resolves when all are ready. @throws LaunchError of the first that fails. */
  start(parts: readonly Part[]): Promise<void>
  /** Sets the address of a database that the launcher does not run. */
  useDatabase(uri: string): void
  /** Returns the database address; null until `useDatabase` or a part has set it. */
  database(): string | null
  /** Starts a part anew, with its changed code. */
  renew(name: PartName): void
  pid(name: PartName): number | null
  /** Stops everything within 5 s plus the drain times of the parts. */
  stop(): Promise<void>
  killAll(): void
}

export function createRunningParts(parts: {
  data: string
  root: string
  record: RunRecord
  clock: Timers
  progress: Progress
  /** Called with the reason when a part that the home needs cannot run any more. */
  over(why: string): void
}): RunningParts {
  const { data, root, record, clock, progress, over } = parts
  let isNoted = true
  let database: string | null = null
  const supervisor = createSupervisor({
    logFolder: join(data, 'logs'),
    compileCache: join(root, 'node_modules/.cache/node'),
    clock,
    random: Math.random,
    say: (line) => progress.say(line),
    changed: () => noteRun(),
    lost({ name, title, program }) {
      const why = `${title} ended and cannot start again: ${program} was removed, as \`npm ci\` does.`
      if (name === 'boards') progress.say(`${why} Start Batti anew to have it back.`)
      else over(`${why} Batti stops here: start it anew.`)
    }
  })

  /** Stores the run record. A full disk must not stop the home. */
  function noteRun(): void {
    const wasNoted = isNoted
    try {
      record.note(
        supervisor.pids().map(({ pid }) => pid),
        database
      )
      isNoted = true
    } catch (error) {
      isNoted = false
      const why = messageOf(error)
      if (wasNoted) progress.say(`Which processes run could not be noted: ${why}`)
    }
  }

  function noteDatabase(part: Part, line: string): void {
    const uri = part.name === 'database' || part.name === 'home' ? databaseUri(line) : null
    if (uri === null || uri === database) return
    database = uri
    noteRun()
  }

  return {
    start: (table) => supervisor.start(table, noteDatabase),
    useDatabase(uri) {
      database = uri
    },
    database: () => database,
    renew: (name) => supervisor.renew(name),
    pid: (name) => supervisor.pid(name),
    stop: () => supervisor.stop(),
    killAll: () => supervisor.killAll()
  }
}
