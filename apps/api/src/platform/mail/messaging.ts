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
  /** The outbox for people, where it is served: on loopback alone. */
  pages: Router[]
  /** What it holds for one receiver, for whoever knows the internal secret; undefined where there is no outbox. */
  readOutbox: Outbox['list'] | undefined
  stop(): void
}

/** Mails and text messages: to the outbox of a demo, else to the providers that are set up. */
export async function createMessaging(parts: {
  config: Config
  clock: Clock
  log: Logger
  metrics: Metrics
  /** In place of what the settings name: for tests of a provider that fails. */
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
    // It shows every code. A server that others on the network reach has no such page.
    pages: outbox === undefined || !isLoopback(config.HOST) ? [] : [outboxRouter({ outbox, brand: brand.name })],
    readOutbox: outbox?.list,
    stop() {
      mail.stop()
      sms.stop()
      mailSender.close()
    }
  }
}

/** Loaded where it is used: most homes have no mail server. */
async function openSmtp(url: string, from: string): Promise<MailSender> {
  const { createSmtpMail } = await import('./smtp-mail.ts')
  return createSmtpMail({ url, from })
}
