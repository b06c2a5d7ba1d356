/** One text message to one E.164 number. */
export interface Sms {
  to: string
  text: string
}

/** The port to whatever carries text messages. */
export interface SmsSender {
  /** Rejects when the gateway did not take it. */
  send(sms: Sms): Promise<void>
}

/** Stands where no gateway is set up. */
export const noSms: SmsSender = {
  send: () => Promise.reject(new Error('No text message gateway is set up: set SMS_URL.'))
}
