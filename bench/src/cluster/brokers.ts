import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mqttAuthPath } from '@batti/contracts'
import { listening, missingPrograms, root, startProgram, type Program } from './programs.ts'
import { certifyRmqtt, rmqttLacks, rmqttNodes, startRmqtt, type HookedBrokerOptions } from './rmqtt.ts'

export type BrokerName = 'mosquitto' | 'hivemq' | 'rmqtt'

/** Also has the credentials, for a broker that reads them from files instead of asking the hook. */
interface BrokerOptions extends HookedBrokerOptions {
  apiPassword: string
  boards: readonly { deviceId: string; password: string }[]
  /** Password of a load generator that may publish for every board. */
  loadPassword?: string
}

interface Broker {
  /** Whether it authenticates by the api's hook and can end connections. Otherwise it uses files. */
  asksHook: boolean
  /** Number of nodes. With several, one may fail. */
  nodes: number
  /** Describes what is missing on this machine; undefined when the broker can be started. */
  lacks(): string | undefined
  /** Settings of the apis besides ports. For TLS it creates the CA in `dir`. */
  settings?(dir: string): { MQTT_CA_FILE: string; BROKER_API_PATH: string }
  start(options: BrokerOptions): Promise<Program[]>
}

/** Starts Mosquitto, which has no hook: one file has names and passwords, another one the access rules. */
async function startMosquitto(options: BrokerOptions): Promise<Program[]> {
  const { dir, port, apiPassword, boards, loadPassword } = options
  const file = (name: string): string => join(dir, name)
  const load = loadPassword === undefined ? [] : [['load', loadPassword]]
  const passwords = [['api', apiPassword], ...load, ...boards.map(({ deviceId, password }) => [deviceId, password])]
  await writeFile(file('passwords'), passwords.map((line) => `${line.join(':')}\n`).join(''), { mode: 0o600 })
  spawnSync('mosquitto_passwd', ['-U', file('passwords')])
  const rights = [
    'user api',
    'topic write d/+/down/+',
    'topic read d/+/up/+',
    ...(loadPassword === undefined ? [] : ['user load', 'topic write d/+/up/+']),
    'pattern read d/%c/down/+',
    'pattern write d/%u/up/+',
    'pattern read d/%u/down/+'
  ]
  await writeFile(file('acl'), `${rights.join('\n')}\n`, { mode: 0o600 })
  const settings = [
    `listener ${port} 127.0.0.1`,
    'allow_anonymous false',
    `password_file ${file('passwords')}`,
    `acl_file ${file('acl')}`,
    'persistence false',
    'max_packet_size 16384',
    'set_tcp_nodelay true',
    'log_type error',
    ...(process.getuid?.() === 0 ? ['user root'] : [])
  ]
  await writeFile(file('mosquitto.conf'), `${settings.join('\n')}\n`)
  const program = startProgram('mosquitto', 'mosquitto', ['-c', file('mosquitto.conf')])
  await listening(port)
  return [program]
}

const hiveFiles = join(import.meta.dirname, 'hivemq')
const hiveJars = join(root, '.batti/interop/hivemq')

/** Downloads HiveMQ's packages from Maven Central, once. */
function downloadHiveMq(): string | undefined {
  const lack = missingPrograms(['java', 'mvn'], 'maven')
  if (lack !== undefined) return lack
  if (existsSync(join(hiveJars, 'complete'))) return undefined
  const bring = ['dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${hiveJars}`]
  const { status } = spawnSync('mvn', ['-q', '-B', '-Dstyle.color=never', '-f', join(hiveFiles, 'pom.xml'), ...bring], {
    stdio: 'inherit'
  })
  if (status !== 0) return 'its packages could not be had from Maven Central'
  return spawnSync('touch', [join(hiveJars, 'complete')]).status === 0 ? undefined : 'its folder cannot be written to'
}

const hiveSettings = (port: number): string => `<hivemq>
  <listeners><tcp-listener><port>${port}</port><bind-address>127.0.0.1</bind-address></tcp-listener></listeners>
  <persistence><mode>in-memory</mode></persistence>
  <mqtt>
    <packets><max-packet-size>16384</max-packet-size></packets>
    <quality-of-service><max-qos>1</max-qos></quality-of-service>
    <retained-messages><enabled>false</enabled></retained-messages>
    <keep-alive><allow-unlimited>false</allow-unlimited><max-keep-alive>120</max-keep-alive></keep-alive>
  </mqtt>
  <anonymous-usage-statistics><enabled>false</enabled></anonymous-usage-statistics>
</hivemq>
`

/** Starts HiveMQ, which by default allows everything: only the hook authenticates and authorizes. */
async function startHive({ dir, port, managementPorts, apis, secret }: BrokerOptions): Promise<Program[]> {
  const folder = join(dir, 'hivemq')
  for (const name of ['conf', 'extensions']) await mkdir(join(folder, name), { recursive: true })
  await writeFile(join(folder, 'conf/config.xml'), hiveSettings(port))
  const source = join(hiveFiles, 'BattiBroker.java')
  const hookUrl = `http://127.0.0.1:${apis[0]?.internalPort ?? 0}${mqttAuthPath}`
  const args = ['-cp', join(hiveJars, '*'), source, folder, hookUrl, String(managementPorts[0])]
  const program = startProgram('hivemq', 'java', args, { ...process.env, INTERNAL_SECRET: secret })
  await listening(port)
  return [program]
}

export const brokers: Readonly<Record<BrokerName, Broker>> = {
  mosquitto: {
    asksHook: false,
    nodes: 1,
    lacks: () => missingPrograms(['mosquitto', 'mosquitto_passwd'], 'mosquitto'),
    start: startMosquitto
  },
  hivemq: { asksHook: true, nodes: 1, lacks: downloadHiveMq, start: startHive },
  rmqtt: {
    asksHook: true,
    nodes: rmqttNodes,
    lacks: rmqttLacks,
    settings: (dir) => ({ MQTT_CA_FILE: certifyRmqtt(dir), BROKER_API_PATH: '/api/v1/clients' }),
    start: startRmqtt
  }
}
