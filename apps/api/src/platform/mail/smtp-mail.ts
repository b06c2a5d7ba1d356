import { createTransport } from 'nodemailer'
import type { MailSender } from './mail.ts'

const timeoutMs = 8000

/** Mails by SMTP. `url` is `smtp://…` or `smtps://user:password@host:port`; `from` a name and an address. */
export function createSmtpMail(options: { url: string; from: string }): MailSender {
  const transport = createTransport(
    {
      url: options.url,
      pool: true,
      maxConnections: 3,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      // Templates never name files or addresses to fetch; nothing that people type may.
      disableFileAccess: true,
      disableUrlAccess: true
    },
    { from: options.from }
  )
  return {
    async send({ to, subject, text, html }) {
      // As an object, so that nothing in an address can be read as a second one.
      await transport.sendMail({ to: { name: '', address: to }, subject, text, html })
    },
    async check() {
      await transport.verify()
    },
    close: () => transport.close()
  }
}
