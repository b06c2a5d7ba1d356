import { Binary } from 'bson'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import type { Document } from '../../src/bson/document.ts'
import { checkFile } from '../../src/maintenance/integrity.ts'
import { openInProcess, type InProcess } from '../in-process.ts'
import { createSessionsModel, type SessionsModel, type Write } from './sessions-model.ts'

const id = fc.nat({ max: 4 })
const key = fc.constantFrom('a', 'b', 'c')
const write: fc.Arbitrary<Write> = fc.oneof(
  fc.record({
    kind: fc.constant('insert' as const),
    thing: fc.record({ _id: id, n: fc.nat({ max: 3 }), u: key }, { requiredKeys: ['_id', 'n'] })
  }),
  fc.record({ kind: fc.constant('touch' as const), id, u: fc.option(key) }),
  fc.record({ kind: fc.constant('remove' as const), id })
)
const step = fc.record({
  session: fc.nat({ max: 2 }),
  /** The operations of a session outside and inside a transaction. */
  idle: fc.constantFrom('start' as const, 'start' as const, 'single' as const, 'restart' as const),
  within: fc.constantFrom(
    ...(['write', 'write', 'write', 'write', 'read', 'single', 'single', 'commit', 'commit'] as const),
    ...(['abort', 'kill', 'mistake'] as const)
  ),
  write,
  isSentTwice: fc.boolean(),
  min: fc.nat({ max: 3 })
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const lsidOf = (number: number): Document => ({ id: new Binary(Buffer.alloc(16, number), 4) })
const batch = (answer: Document): unknown => (answer['cursor'] as Document)['firstBatch']
const outcomeOf = (answer: Document): unknown =>
  answer['ok'] !== 1
    ? answer['code']
    : ((answer['writeErrors'] as Document[] | undefined)?.[0]?.['code'] ?? answer['n'])

function commandOf(asked: Write): Document {
  switch (asked.kind) {
    case 'insert':
      return { insert: 'things', documents: [asked.thing] }
    case 'touch': {
      const u = asked.u === null ? { $unset: { u: '' } } : { $set: { u: asked.u } }
      return { update: 'things', updates: [{ q: { _id: asked.id }, u: { ...u, $inc: { n: 1 } } }] }
    }
    case 'remove':
      return { delete: 'things', deletes: [{ q: { _id: asked.id }, limit: 1 }] }
  }
}

const agree = (engine: unknown, model: unknown): void => expect(engine).toEqual(model)

/** The engine and the model side by side; at most one single write waits. */
class Race {
  readonly #db: InProcess
  readonly #model: SessionsModel = createSessionsModel()
  readonly #numbers = [0, 0, 0]
  #waiting: { write: Write; answers: Promise<Document[]> } | null = null
  #sent = 0

  constructor(db: InProcess) {
    this.#db = db
  }

  #within(session: number): Document {
    return { lsid: lsidOf(session + 1), txnNumber: this.#numbers[session], autocommit: false }
  }

  async #compareReads(session: number | null, min: number): Promise<void> {
    const more = session === null ? {} : this.#within(session)
    const found = await this.#db.run({ find: 'things', filter: { n: { $gte: min } }, sort: { n: 1, _id: 1 }, ...more })
    const wanted = this.#model.things(session).filter(({ n }) => n >= min)
    agree(
      batch(found),
      wanted.toSorted((a, b) => a.n - b.n)
    )
  }

  /** The waiting write is carried out as soon as no transaction holds its document. */
  async #settle(): Promise<void> {
    if (!this.#waiting) return
    const wanted = this.#model.single(this.#waiting.write)
    if (wanted === null) return
    const { answers } = this.#waiting
    this.#waiting = null
    for (const answer of await answers) agree(outcomeOf(answer), wanted)
  }

  async #single({ write: asked, isSentTwice }: Step): Promise<void> {
    if (this.#waiting) return
    // An error is not remembered: a repeated write is tried again.
    const isNumbered = isSentTwice && asked.kind !== 'insert'
    const command = { ...commandOf(asked), ...(isNumbered ? { lsid: lsidOf(9), txnNumber: ++this.#sent } : {}) }
    const answers = Promise.all([this.#db.run(command), ...(isNumbered ? [this.#db.run(command)] : [])])
    this.#waiting = { write: asked, answers }
    await this.#settle()
  }

  async #idle(asked: Step): Promise<void> {
    const { session, idle } = asked
    if (idle === 'single') return this.#single(asked)
    if (idle === 'restart') {
      if (this.#waiting) return
      this.#db.kill()
      for (const other of [0, 1, 2]) this.#model.rollBack(other)
      return
    }
    this.#numbers[session] = (this.#numbers[session] ?? 0) + 1
    const found = await this.#db.run({
      find: 'things',
      sort: { _id: 1 },
      ...this.#within(session),
      startTransaction: true
    })
    this.#model.start(session)
    agree(batch(found), this.#model.things(session))
  }

  async take(asked: Step): Promise<void> {
    const { session, within, min } = asked
    if (!this.#model.isOpen(session)) await this.#idle(asked)
    else if (within === 'single') await this.#single(asked)
    else if (within === 'read') await this.#compareReads(session, min)
    else if (within === 'write') {
      const answer = await this.#db.run({ ...commandOf(asked.write), ...this.#within(session) })
      agree(outcomeOf(answer), this.#model.write(session, asked.write))
    } else if (within === 'commit') {
      agree((await this.#db.run({ commitTransaction: 1, ...this.#within(session) }))['ok'], 1)
      this.#model.commit(session)
    } else await this.#rollBack(session, within)
    await this.#settle()
    await this.#compareReads(null, min)
  }

  async #rollBack(session: number, how: 'abort' | 'kill' | 'mistake'): Promise<void> {
    const within = this.#within(session)
    if (how === 'abort') await this.#db.run({ abortTransaction: 1, ...within })
    else if (how === 'kill') await this.#db.run({ killSessions: [within['lsid']] })
    else agree((await this.#db.run({ find: 'things', filter: { $none: 1 }, ...within }))['ok'], 0)
    agree((await this.#db.run({ find: 'things', ...within }))['code'], 251)
    this.#model.rollBack(session)
  }

  async end(): Promise<void> {
    for (const session of [0, 1, 2]) if (this.#model.isOpen(session)) await this.#rollBack(session, 'abort')
    await this.#settle()
    await this.#compareReads(null, 0)
    agree(this.#db.engine.locks.isEmpty(), true)
  }
}

describe('the engine and a naive model of three sessions', () => {
  let database: InProcess | null = null
  afterEach(async () => {
    await database?.close()
    database = null
  })

  it('agree for any order of their transactions and single writes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(1, 3, 4096),
        fc.array(step, { minLength: 10, maxLength: 60 }),
        async (most, steps) => {
          await database?.close()
          const db = await openInProcess({ recentEntries: most })
          database = db
          const unique = { unique: true, partialFilterExpression: { u: { $exists: true } } }
          const indexes = [
            { key: { n: 1 }, name: 'n_1' },
            { key: { u: 1 }, name: 'u_1', ...unique }
          ]
          await db.run({ createIndexes: 'things', indexes })
          const race = new Race(db)
          for (const asked of steps) await race.take(asked)
          await race.end()
          expect(await checkFile(db.file)).toEqual([])
        }
      ),
      { numRuns: Number(process.env['MODEL_RUNS'] ?? 20) }
    )
  }, 300_000)
})
