import { defaultBoardColour, defaultHttpPort, defaultMqttPort, defaultTimezone, deviceAuthPath } from '@batti/contracts'

/** The fields of the setup form that are rarely changed. All are text, as in a form post. */
export interface SetupDefaults {
  serverUrl: string
  serverPort: string
  otherUrl: string
  mqttServerUrl: string
  mqttServerPort: string
  activeColor: string
  timezone: string
}

/** Reads the broker's port, and its host if it differs, from the server's meta tags in the page. */
function brokerOf(page: ParentNode): { host: string | undefined; port: string } {
  const said = (name: string) => page.querySelector(`meta[name="batti-mqtt-${name}"]`)?.getAttribute('content')
  return { host: said('host') ?? undefined, port: said('port') ?? String(defaultMqttPort) }
}

/**
 * Returns the initial values. The board must reach this page's server: its host, and the port of the address; without
 * one the product's own port for http, or 443 behind an https proxy.
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
