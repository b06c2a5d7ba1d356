import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '@batti/kit/node/ports'
import { listening, missingPrograms, root, startProgram, type Program } from './programs.ts'

const version = '0.24.0'
const folder = join(root, '.batti/interop/rmqtt')
const built = process.env['RMQTT_BIN'] ?? join(folder, 'bin/rmqttd')
export const rmqttNodes = 3

/** Checks what RMQTT lacks. Its build takes long, so it requires a flag; an existing build is reused. */
export function rmqttLacks(): string | undefined {
  const lack = missingPrograms(['haproxy', 'openssl'])
  if (lack !== undefined) return lack
  if (existsSync(built)) return undefined
  if (!process.argv.includes('--build-rmqtt'))
    return 'not built here: `npm run interop -- cluster --build-rmqtt` builds it once (cargo, 10 to 50 minutes); RMQTT_BIN=FILE is one of yours'
  const lackToBuild = missingPrograms(['cargo'])
  if (lackToBuild !== undefined) return lackToBuild
  // A debug build takes a quarter of the time, and is fast enough for these tests.
  const args = ['install', 'rmqttd', '--version', version, '--locked', '--debug', '--root', folder]
  return spawnSync('cargo', args, { stdio: 'inherit' }).status === 0 ? undefined : 'it could not be built'
}

/** Makes the brokers' certificate, which boards and apis verify as in a real cluster. Returns its file, which is also the CA. */
export function certifyRmqtt(dir: string): string {
  const [cert, key] = [join(dir, 'broker.crt'), join(dir, 'broker.key')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', cert, ...subject]
  if (spawnSync('openssl', made, { stdio: 'ignore' }).status !== 0) throw new Error('openssl made no certificate')
  return cert
}

interface RmqttNode {
  id: number
  mqtt: number
  api: number
  rpc: number
  raft: number
}

/** Options of a broker that authenticates by the apis' hook. */
export interface HookedBrokerOptions {
  dir: string
  port: number
  /** Per node, the port for requests to end a connection. */
  managementPorts: readonly number[]
  /** The apis' ports for the hook, and for health checks. */
  apis: readonly { internalPort: number; port: number }[]
  secret: string
}

/** Starts three nodes with the configuration in deploy/, and HAProxy in front of them and of the apis' hooks. */
export async function startRmqtt(options: HookedBrokerOptions): Promise<Program[]> {
  const hooksPort = await freePort()
  const all: RmqttNode[] = []
  for (const [index, api] of options.managementPorts.entries())
    all.push({ id: index + 1, mqtt: await freePort(), api, rpc: await freePort(), raft: await freePort() })
  const before = await startFront(options, all, hooksPort)
  const started = await Promise.all(all.map((node) => startNode(node, all, options, hooksPort)))
  return [before, ...started]
}

async function startNode(node: RmqttNode, all: readonly RmqttNode[], options: HookedBrokerOptions, hooksPort: number) {
  const run = join(options.dir, `rmqtt-${node.id}`)
  await mkdir(run)
  const peers = all.flatMap(({ id, rpc, raft }) => [
    `--node-grpc-addrs=${id}@127.0.0.1:${rpc}`,
    `--raft-peer-addrs=${id}@127.0.0.1:${raft}`
  ])
  const program = startProgram(`rmqtt-${node.id}`, 'sh', [join(root, 'deploy/rmqtt/start.sh'), ...peers], {
    PATH: process.env['PATH'],
    // A killed neighbor would cause endless log output.
    RUST_LOG: process.env['RUST_LOG'] ?? 'off',
    RMQTTD: built,
    NODE_ID: String(node.id),
    INTERNAL_SECRET: options.secret,
    CONFIG_DIR: join(root, 'deploy/rmqtt'),
    RUN_DIR: run,
    TLS_DIR: options.dir,
    HOOKS: `http://127.0.0.1:${hooksPort}`,
    MQTT_ADDR: `127.0.0.1:${node.mqtt}`,
    API_ADDR: `127.0.0.1:${node.api}`,
    RPC_ADDR: `127.0.0.1:${node.rpc}`,
    RAFT_ADDR: `127.0.0.1:${node.raft}`
  })
  await listening(node.mqtt)
  return program
}

/** Starts HAProxy with the configuration in deploy/haproxy, adapted to this machine's ports. */
async function startFront(
  options: HookedBrokerOptions,
  all: readonly RmqttNode[],
  hooksPort: number
): Promise<Program> {
  const file = join(options.dir, 'haproxy-brokers.cfg')
  const text = `defaults
  timeout connect 2s
  timeout client 200s
  timeout server 200s
  default-server check inter 500 fall 2 rise 1
listen boards
  mode tcp
  bind 127.0.0.1:${options.port}
  balance leastconn
  default-server send-proxy-v2
${all.map(({ id, mqtt }) => `  server rmqtt${id} 127.0.0.1:${mqtt}`).join('\n')}
listen hooks
  mode http
  bind 127.0.0.1:${hooksPort}
  option httpchk GET /healthz
${options.apis.map(({ internalPort, port }, index) => `  server api${index} 127.0.0.1:${internalPort} port ${port}`).join('\n')}
`
  await writeFile(file, text)
  const program = startProgram('haproxy-brokers', 'haproxy', ['-q', '-db', '-f', file])
  await listening(options.port)
  return program
}
