import { defaultBoardColour, defaultHttpPort, defaultMqttPort, defaultTimezone, deviceAuthPath } from '@batti/contracts'

/** The part of the setup form that people seldom change. All text, as a form posts it. */
export interface SetupDefaults {
  serverUrl: string
  serverPort: string
  otherUrl: string
  mqttServerUrl: string
  mqttServerPort: string
  activeColor: string
  timezone: string
}

/** The server says in its page where boards find the broker: its port, and its host where that is another one. */
function brokerOf(page: ParentNode): { host: string | undefined; port: string } {
  const said = (name: string) => page.querySelector(`meta[name="batti-mqtt-${name}"]`)?.getAttribute('content')
  return { host: said('host') ?? undefined, port: said('port') ?? String(defaultMqttPort) }
}

/**
 * What the form begins with. The board must reach the server that this page came from: its host, and its port where
 * the address names one; without one the product's own port on http, 443 behind an https proxy.
 */
export function setupDefaults(
  page: Pick<Location, 'hostname' | 'port' | 'protocol'>,
  timezone: string | undefined,
  root: ParentNode = document
): SetupDefaults {
  const broker = brokerOf(root)
  const impliedPort = page.protocol === 'https:' ? 443 : defaultHttpPort
  return {
    serverUrl: page.hostname,
    serverPort: page.port === '' ? String(impliedPort) : page.port,
    otherUrl: deviceAuthPath,
    mqttServerUrl: broker.host ?? page.hostname,
    mqttServerPort: broker.port,
    activeColor: defaultBoardColour,
    timezone: timezone === undefined || timezone === '' ? defaultTimezone : timezone
  }
}
