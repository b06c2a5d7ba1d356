/** One message to one person. */
export interface Mail {
  /** One address; never a list. */
  to: string
  subject: string
  text: string
  html: string
}

/** The port to whatever carries mails. */
export interface MailSender {
  /** Rejects when the provider did not take it. */
  send(mail: Mail): Promise<void>
  /** Rejects when nothing can be sent now; cheap enough to ask before each call that needs a mail. */
  check(): Promise<void>
  close(): void
}

/** Stands where no provider is set up: every call that needs a mail says so with 503. */
export const noMail: MailSender = {
  send: () => Promise.reject(new Error('No mail provider is set up: set SMTP_URL.')),
  check: () => Promise.reject(new Error('No mail provider is set up: set SMTP_URL.')),
  close: () => undefined
}
