import { isLoopback } from '@batti/kit/address'
import { brandOf } from '@batti/contracts/brand'
import type { Router } from 'express'
import type { Logger } from 'pino'
import { Gauge } from 'prom-client'
import type { Clock } from '@batti/kit/clock'
import type { Config } from '../config.ts'
import { createOutbox, type Outbox } from '../outbox/outbox.ts'
import { outboxRouter } from '../outbox/outbox.router.ts'
import type { Metrics } from '../http/metrics.ts'
import { noMail, type Mail, type MailSender } from './mail.ts'
import { createMessages, type Messages } from './messages.ts'
import { createOutgoing, type Outgoing } from './outgoing.ts'
import { createHttpSms } from '../sms/http-sms.ts'
import { noSms, type Sms, type SmsSender } from '../sms/sms.ts'

export interface Messaging {
  mail: Outgoing<Mail>
  sms: Outgoing<Sms>
  messages: Messages
  /** The outbox page; served on loopback only. */
  pages: Router[]
  /** Lists the outbox of one receiver for callers with the internal secret; undefined where there is no outbox. */
  readOutbox: Outbox['list'] | undefined
  stop(): void
}

/** Sends mails and text messages to the outbox of a demo, else to the configured providers. */
export async function createMessaging(parts: {
  config: Config
  clock: Clock
  log: Logger
  metrics: Metrics
  /** Replaces what the settings name, for tests of a failing provider. */
  mailSender?: MailSender | undefined
  smsSender?: SmsSender | undefined
}): Promise<Messaging> {
  const { config, clock, log } = parts
  const brand = brandOf(config.BRAND)
  const outbox = config.DEV_OUTBOX ? createOutbox(clock) : undefined
  const smtp = config.SMTP_URL === undefined ? undefined : await openSmtp(config.SMTP_URL, config.MAIL_FROM)
  const gateway =
    config.SMS_URL === undefined ? undefined : createHttpSms({ url: config.SMS_URL, template: config.SMS_TEMPLATE })
  const mailSender = parts.mailSender ?? outbox?.mail ?? smtp ?? noMail
  const smsSender = parts.smsSender ?? outbox?.sms ?? gateway ?? noSms
  if (mailSender === noMail) log.warn('no mail is set up: nobody can sign up or reset a password. Set SMTP_URL')

  const mail = createOutgoing<Mail>({
    what: 'Email',
    send: (message) => mailSender.send(message),
    check: () => mailSender.check(),
    clock,
    log
  })
  const sms = createOutgoing<Sms>({ what: 'Text messages', send: (message) => smsSender.send(message), clock, log })
  const waiting = new Gauge({
    name: 'batti_messages_waiting',
    help: 'Mails and text messages that wait for another try',
    labelNames: ['kind'],
    registers: [],
    collect() {
      this.set({ kind: 'mail' }, mail.waiting())
      this.set({ kind: 'sms' }, sms.waiting())
    }
  })
  parts.metrics.registry.registerMetric(waiting)
  return {
    mail,
    sms,
    messages: createMessages(brand),
    // The page shows every code, so a server that is reachable from the network does not have it.
    pages: outbox === undefined || !isLoopback(config.HOST) ? [] : [outboxRouter({ outbox, brand: brand.name })],
    readOutbox: outbox?.list,
    stop() {
      mail.stop()
      sms.stop()
      mailSender.close()
    }
  }
}

/** Loaded on demand: most homes have no mail server. */
async function openSmtp(url: string, from: string): Promise<MailSender> {
  const { createSmtpMail } = await import('./smtp-mail.ts')
  return createSmtpMail({ url, from })
}
