import { isRecord } from '@batti/kit/json'
import { createTransport } from 'nodemailer'
import type { MailSender } from './mail.ts'
import { ReceiverRefused } from './receiver-refused.ts'

const timeoutMs = 8000

/** Sends mails by SMTP. `url` is `smtp://…` or `smtps://user:password@host:port`; `from` is a name and an address. */
export function createSmtpMail(options: { url: string; from: string }): MailSender {
  const transport = createTransport(
    {
      url: options.url,
      pool: true,
      maxConnections: 3,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      // Nothing that people type may name files or addresses to fetch; templates never do.
      disableFileAccess: true,
      disableUrlAccess: true
    },
    { from: options.from }
  )
  return {
    async send({ to, subject, text, html }) {
      // Passed as an object, so that no part of an address can be parsed as a second address.
      await transport.sendMail({ to: { name: '', address: to }, subject, text, html }).catch((error: unknown) => {
        throw isOfReceiver(error)
          ? new ReceiverRefused('The mail server refused the receiver.', { cause: error })
          : error
      })
    },
    async check() {
      await transport.verify()
    },
    close: () => transport.close()
  }
}

/** 421 ends the connection: the server refuses everybody. */
const isOfReceiver = (error: unknown): boolean =>
  isRecord(error) && error['command'] === 'RCPT TO' && error['responseCode'] !== 421
