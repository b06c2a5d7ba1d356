import { caPemMaxLength } from '@batti/contracts'
import { dayMs, minuteMs } from '@batti/kit/durations'
import { createHash, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Connection } from 'mongoose'
import type { Clock } from '@batti/kit/clock'
import type { Logger } from 'pino'
import type { Config } from '../platform/config.ts'

/** How often the file is checked for changes. */
const lookEveryMs = minuteMs
const alarmEveryMs = dayMs
const alarmBeforeMs = 21 * dayMs

/** The CAs that boards were last told of, shared by all instances. */
interface AnnouncedDocument {
  _id: 'ca'
  sha256: string
}

export interface BoardCaDeps {
  config: Pick<Config, 'MQTT_CA_FILE'>
  connection: Connection
  clock: Pick<Clock, 'now'>
  log: Logger
  /** Counts the settings revision up for every board with an owner, so that it is sent its settings again. */
  incrementRevision(): Promise<unknown>
  /** Reads the boards in memory again. */
  refresh(): Promise<void>
}

/**
 * Watches the CAs that boards are told to trust: two during a change from one to the other. A board that is online learns of a
 * new file within minutes, one that is offline when it is back.
 */
export function createBoardCa({ config, connection, clock, log, incrementRevision, refresh }: BoardCaDeps) {
  const file = config.MQTT_CA_FILE
  let pem = file === undefined ? '' : read(file)
  let known = ''
  /** How many more times the boards in memory must be read: another instance may still be counting up. */
  let refreshes = 0
  let alarmedAt = -Infinity
  let timer: NodeJS.Timeout | undefined

  function read(path: string): string {
    const text = readFileSync(path, 'utf8')
    if (text.length <= caPemMaxLength) return text
    log.error({ path, most: caPemMaxLength }, 'MQTT_CA_FILE is too long to be sent to boards: keep only their own CAs')
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
    // A first start announces nothing, because boards received the CAs with their credential. Announcing twice is harmless, so
    // the record is written last: after a crash or a timeout in between, the next check finishes the work.
    if (before !== null && before.sha256 !== sha256) {
      await incrementRevision()
      // The broker's hooks may have loaded boards before this first check.
      if (known === '') await refresh()
      log.info({ sha256 }, 'another CA is sent to the boards')
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
        log.warn({ file, endsAt }, 'a CA of the boards expires soon: add the next one to MQTT_CA_FILE')
    }
  }

  return {
    /** Returns the CAs as PEM; empty where boards trust the public authorities. */
    current: (): string => pem,
    look,
    async start(): Promise<void> {
      await look()
      timer = setInterval(() => {
        look().catch((error: unknown) => log.error({ err: error }, 'MQTT_CA_FILE could not be checked'))
      }, lookEveryMs)
    },
    stop(): void {
      clearInterval(timer)
    }
  }
}
