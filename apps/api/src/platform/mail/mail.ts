/** One message to one person. */
export interface Mail {
  /** One address; never a list. */
  to: string
  subject: string
  text: string
  html: string
}

/** The port for sending mails. */
export interface MailSender {
  /** Rejects if the provider did not accept the mail. */
  send(mail: Mail): Promise<void>
  /** Rejects when nothing can be sent now. Cheap enough to call before each request that needs a mail. */
  check(): Promise<void>
  close(): void
}

/** Used if no provider is configured: every call that needs a mail answers 503. */
export const noMail: MailSender = {
  send: () => Promise.reject(new Error('No mail provider is set up: set SMTP_URL.')),
  check: () => Promise.reject(new Error('No mail provider is set up: set SMTP_URL.')),
  close: () => undefined
}
