import { caPemMaxLength } from '@batti/contracts'
import { createHash, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Connection } from 'mongoose'
import type { Clock } from '@batti/kit/clock'
import type { Logger } from 'pino'
import type { Config } from '../platform/config.ts'

/** The file may change while this runs: it is looked at this often. */
const lookEveryMs = 60_000
const alarmEveryMs = 24 * 3_600_000
const alarmBeforeMs = 21 * 24 * 3_600_000

/** Which CAs boards were last told of, by all instances together. */
interface AnnouncedDocument {
  _id: 'ca'
  sha256: string
}

export interface BoardCaDeps {
  config: Pick<Config, 'MQTT_CA_FILE'>
  connection: Connection
  clock: Pick<Clock, 'now'>
  log: Logger
  /** Every board that has an owner is to be told its settings anew. */
  countUp(): Promise<unknown>
  /** What is in memory of boards is read again. */
  refresh(): Promise<void>
}

/**
 * The CAs that boards are told to trust: two while one takes over from the other. A board that is online learns another
 * file within minutes, one that is away when it is back.
 */
export function createBoardCa({ config, connection, clock, log, countUp, refresh }: BoardCaDeps) {
  const file = config.MQTT_CA_FILE
  let pem = file === undefined ? '' : read(file)
  let known = ''
  /** How often what is in memory must still be read: another instance may be counting up right now. */
  let refreshes = 0
  let alarmedAt = -Infinity
  let timer: NodeJS.Timeout | undefined

  function read(path: string): string {
    const text = readFileSync(path, 'utf8')
    if (text.length <= caPemMaxLength) return text
    log.error({ path, most: caPemMaxLength }, 'MQTT_CA_FILE is too long to be told to boards: leave only their own CAs')
    return ''
  }

  async function look(): Promise<void> {
    if (file === undefined) return
    pem = read(file)
    alarm()
    const sha256 = createHash('sha256').update(pem).digest('hex')
    if (refreshes > 0) {
      refreshes -= 1
      await refresh()
    }
    if (sha256 === known) return
    const announced = connection.collection<AnnouncedDocument>('boardCa')
    const before = await announced.findOne({ _id: 'ca' })
    // A first start has nothing to tell, for boards got it with their credential. Told twice is harmless, so the mark comes last:
    // whoever dies in between, or runs out of time, leaves the rest to the next look.
    if (before !== null && before.sha256 !== sha256) {
      await countUp()
      // The broker's hooks may have read boards before this first look.
      if (known === '') await refresh()
      log.info({ sha256 }, 'boards are told of another CA')
    }
    await announced.updateOne({ _id: 'ca' }, { $set: { sha256 } }, { upsert: true })
    if (known !== '') {
      await refresh()
      refreshes = 1
    }
    known = sha256
  }

  function alarm(): void {
    const now = clock.now()
    if (now - alarmedAt < alarmEveryMs) return
    alarmedAt = now
    for (const one of pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []) {
      const endsAt = new X509Certificate(one).validToDate
      if (endsAt.getTime() - now < alarmBeforeMs)
        log.warn({ file, endsAt }, 'a CA of the boards ends soon: put the next one beside it in MQTT_CA_FILE')
    }
  }

  return {
    /** PEM; empty where boards trust the public authorities. */
    current: (): string => pem,
    look,
    async start(): Promise<void> {
      await look()
      timer = setInterval(() => {
        look().catch((error: unknown) => log.error({ err: error }, 'MQTT_CA_FILE could not be looked at'))
      }, lookEveryMs)
    },
    stop(): void {
      clearInterval(timer)
    }
  }
}
