/** One text message to one E.164 number. */
export interface Sms {
  to: string
  text: string
}

/** The port for sending text messages. */
export interface SmsSender {
  /** Rejects if the gateway did not accept the message. */
  send(sms: Sms): Promise<void>
}

/** Used if no gateway is configured. */
export const noSms: SmsSender = {
  send: () => Promise.reject(new Error('No text message gateway is set up: set SMS_URL.'))
}
