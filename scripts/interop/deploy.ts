import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { rootDir } from '../run-command.ts'
import { hasPackages } from './npm-packages.ts'

/** The check of files by one tool. */
interface Check {
  tool: string
  /** How to install it on Debian. */
  from: string
  runs: readonly (readonly string[])[]
  env?: Readonly<Record<string, string>>
}

/** The version in docker-compose.yml. */
const caddyVersion = 'v2.10.2'

const inDeploy = (path: string): string => join(rootDir, 'deploy', path)

/**
 * Checks each file of deploy/ with the tool that reads it. Reports and skips a tool that is not on this machine. Without any
 * tool, the whole check counts as skipped.
 */
export async function checkDeploy(home: string): Promise<'passed' | 'failed' | { passedOver: string }> {
  const scratch = mkdtempSync(join(tmpdir(), 'batti-deploy-'))
  try {
    const outcomes = [...checksOf(scratch).map(run), checkCaddy(home, scratch), checkKubernetes(home)]
    if (outcomes.includes('failed')) return 'failed'
    return outcomes.includes('passed') ? 'passed' : { passedOver: 'none of the tools is on this machine' }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function checksOf(scratch: string): Check[] {
  const compose = ['-f', join(rootDir, 'docker-compose.yml')]
  return [
    { tool: 'haproxy', from: 'haproxy', runs: [['-c', '-f', inDeploy('haproxy/haproxy.cfg')]] },
    {
      tool: 'promtool',
      from: 'prometheus',
      runs: [
        ['check', 'rules', inDeploy('prometheus/alerts.yml')],
        ['test', 'rules', inDeploy('prometheus/alerts.test.yml')],
        ['check', 'config', '--syntax-only', inDeploy('prometheus/prometheus.yml')]
      ]
    },
    { tool: 'systemd-analyze', from: 'systemd', runs: [['verify', ...unitsHere(scratch)]] },
    {
      tool: 'docker-compose',
      from: 'docker-compose',
      runs: ['home', 'cluster'].map((profile) => [...compose, '--profile', profile, 'config', '--quiet'])
    },
    {
      tool: 'sh',
      from: 'dash',
      runs: ['backup.sh', 'backup-mongo.sh', 'delete-old-backups.sh', 'rmqtt/start.sh'].map((script) => [
        '-n',
        inDeploy(script)
      ])
    }
  ]
}

/** Writes the units with the paths and users of this machine, and this repository instead of /opt/batti. */
function unitsHere(scratch: string): string[] {
  return readdirSync(inDeploy('systemd')).map((name) => {
    const unit = readFileSync(inDeploy(`systemd/${name}`), 'utf8')
      .replaceAll('/opt/batti', rootDir)
      .replaceAll(/^(User|Group)=.*$/gm, '$1=root')
    const path = join(scratch, name)
    writeFileSync(path, unit)
    return path
  })
}

function run({ tool, from, runs, env = {} }: Check): 'passed' | 'failed' | 'passed over' {
  for (const args of runs) {
    const { error, status, stdout, stderr } = spawnSync(tool, args, {
      encoding: 'utf8',
      env: { ...process.env, ...env }
    })
    if (error !== undefined) {
      console.log(`  ${tool}: passed over, it is not on this machine (Debian: ${from})`)
      return 'passed over'
    }
    if (status !== 0) {
      console.log(`  ${tool} ${args.join(' ')}:\n${stdout}${stderr}`)
      return 'failed'
    }
  }
  console.log(`  ${basename(tool)}: passed`)
  return 'passed'
}

/** Checks the Caddyfile. Debian's Caddy is too old for it, so Go builds one, which is kept with the other downloads. */
function checkCaddy(home: string, scratch: string): 'passed' | 'failed' | 'passed over' {
  const program = join(home, 'caddy', 'caddy')
  if (!existsSync(program)) {
    console.log('  caddy: built by Go, some minutes …')
    const env = { ...process.env, GOBIN: join(home, 'caddy') }
    const built = spawnSync('go', ['install', `github.com/caddyserver/caddy/v2/cmd/caddy@${caddyVersion}`], { env })
    if (built.status !== 0) {
      console.log('  caddy: passed over, Go or what it is built from is not to be had here')
      return 'passed over'
    }
  }
  return run({
    tool: program,
    from: 'Go',
    runs: [['validate', '--adapter', 'caddyfile', '--config', inDeploy('caddy/Caddyfile')]],
    env: { SITE_ADDRESS: 'localhost', ACME_EMAIL: 'admin@example.org', XDG_DATA_HOME: scratch }
  })
}

/** Checks every manifest against the schema of its kind, from an npm package with Kubernetes' schemas. */
function checkKubernetes(home: string): 'passed' | 'failed' | 'passed over' {
  const folder = join(home, 'kubernetes')
  if (!hasPackages(folder, ['kubernetes-models@5.1.0', 'yaml@2.9.1'])) {
    console.log('  kubernetes: passed over, its schemas could not be installed')
    return 'passed over'
  }
  const script = join(folder, 'run.mjs')
  copyFileSync(join(import.meta.dirname, 'kubernetes.mjs'), script)
  const files = globSync('deploy/kubernetes/*.yaml', { cwd: rootDir }).map((path) => join(rootDir, path))
  const { status } = spawnSync(process.execPath, [script, ...files], { cwd: folder, stdio: 'inherit' })
  console.log(`  kubernetes: ${status === 0 ? 'passed' : 'failed'}`)
  return status === 0 ? 'passed' : 'failed'
}
