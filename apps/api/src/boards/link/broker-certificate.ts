import { defaultMqttPort } from '@batti/contracts'
import { isIP } from 'node:net'
import { connect } from 'node:tls'

const timeoutMs = 5000
const ownPorts: Readonly<Record<string, number>> = {
  'mqtts:': defaultMqttPort,
  'ssl:': defaultMqttPort,
  'tls:': defaultMqttPort,
  'wss:': 443
}

/** Tells whether the broker at this address has a certificate. */
export const hasCertificate = (url: string): boolean => new URL(url).protocol in ownPorts

/**
 * Returns when the broker's certificate ends, in seconds since the epoch; NaN when the broker does not answer. Connects anew,
 * because the connection of the boards' messages may be older than the certificate.
 */
export function certificateEnd(url: string): Promise<number> {
  const { protocol, hostname, port } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port: port === '' ? ownPorts[protocol] : Number(port),
      ...(isIP(host) === 0 ? { servername: host } : {}),
      // Only its date is read: also of a certificate that is not trusted any more.
      rejectUnauthorized: false
    })
    const giveUp = (): void => {
      socket.destroy()
      resolve(NaN)
    }
    socket.setTimeout(timeoutMs, giveUp)
    socket.on('error', giveUp)
    socket.on('secureConnect', () => {
      resolve(Date.parse(socket.getPeerCertificate().valid_to) / 1000)
      // A connection that is cut here would count as a failed handshake at the broker.
      socket.end()
    })
  })
}
