import { runToEnd, testFolder } from '@batti/kit/node/testing'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { environment as apiEnvironment } from '../apps/api/src/platform/config.ts'
import { launcherSettings } from '../packages/launcher/src/config.ts'
import { settledByImages, withSettings } from './compose-settings.ts'
import { rootDir } from './run-command.ts'

const read = (path: string): string => readFileSync(join(rootDir, path), 'utf8')

interface Container {
  image?: string
  profiles?: string[]
  environment?: Record<string, string>
  read_only?: boolean
  cap_drop?: string[]
  mem_limit?: string
  security_opt?: string[]
  ulimits?: { nofile: number }
  user?: string
  volumes?: string[]
}
const compose = parse(read('docker-compose.yml'), { merge: true }) as { services: Record<string, Container> }
const services = Object.entries(compose.services)

describe('docker-compose.yml', () => {
  it('has the two variants of an installation', () => {
    const of = (profile: string): string[] =>
      services.filter(([, { profiles = [] }]) => profiles.includes(profile)).map(([name]) => name)
    expect(of('home')).toEqual(['https', 'batti', 'backup'])
    expect(of('cluster')).toEqual(
      expect.arrayContaining([
        'https',
        'mongo1',
        'mongo2',
        'mongo3',
        'redis',
        'rmqtt1',
        'rmqtt2',
        'rmqtt3',
        'haproxy',
        'api'
      ])
    )
    for (const [name, { profiles }] of services) expect(profiles, name).toBeDefined()
  })

  it.each(services)('gives %s only the settings that it needs', (_name, service) => {
    expect(service.read_only).toBe(true)
    expect(service.cap_drop).toEqual(['ALL'])
    expect(service.security_opt).toContain('no-new-privileges:true')
    expect(service.mem_limit).toMatch(/^\d+[mg]$/)
  })

  it('runs what reads the key of the broker as its owner: root without capabilities could not open it', () => {
    const readers = services.filter(([, { volumes = [] }]) => volumes.some((volume) => volume.endsWith(':/tls:ro')))
    const foreign = readers.filter(([, { image }]) => image?.startsWith('batti-') === false)
    expect(foreign.map(([name]) => name)).toEqual(['rmqtt1', 'rmqtt2', 'rmqtt3'])
    for (const [name, { user }] of foreign) expect(user, name).toBe('1000:1000')
  })

  it.each(['api', 'batti'])('passes every setting through to %s', (name) => {
    const given = Object.keys(compose.services[name]?.environment ?? {})
    const missing = Object.keys(apiEnvironment.shape).filter((setting) => !given.includes(setting))
    // The launcher of a home decides what makes a cluster, and where its parts are.
    const ofClusters =
      /^(MQTT_URL|MQTT_CA_FILE|MQTT_SERVICE_NETWORKS|MQTT_SHARED_GROUP|CLUSTER_ADAPTER|REDIS_URL|BROKER_API_\w+)$/
    const wanted = missing.filter((setting) => !settledByImages.includes(setting))
    expect(name === 'api' ? wanted : wanted.filter((setting) => !ofClusters.test(setting))).toEqual([])
  })

  it('passes through to a home what its launcher reads itself', () => {
    expect(Object.keys(compose.services['batti']?.environment ?? {})).toEqual(
      expect.arrayContaining(Object.keys(launcherSettings))
    )
  })

  it('includes a new setting from the schemas', () => {
    const text = read('docker-compose.yml')
    expect(withSettings(text, ['NEW_SETTING', 'NODE_ENV', 'PORT'])).toMatch(
      /begin \(.*\)\n  NEW_SETTING: \$\{NEW_SETTING:-\}\n  # settings: end/
    )
  })
})

describe('the files of deploy/', () => {
  it('need no more files for HAProxy than compose lets it open: it would not start', () => {
    const connections = Number(/^ {4}maxconn (\d+)$/m.exec(read('deploy/haproxy/haproxy.cfg'))?.[1])
    const files = compose.services['haproxy']?.ulimits?.nofile
    expect(files).toBeGreaterThan(2 * connections + 1000)
  })

  it('keep the folder of the data closed: each unit that names it sets its mode anew', () => {
    const units = globSync('deploy/systemd/*.service', { cwd: rootDir }).map(read)
    const naming = units.filter((unit) => /^StateDirectory=batti$/m.test(unit))
    expect(naming).toHaveLength(2)
    for (const unit of naming) expect(unit).toMatch(/^StateDirectoryMode=0700$/m)
  })

  it('let a broker ask an api that is not ready, because the api waits for its connection to that broker', () => {
    const hooks = read('deploy/haproxy/haproxy.cfg').split('\nbackend hooks\n')[1]
    expect(hooks).toContain('option httpchk GET /healthz')
    const api = read('deploy/kubernetes/api.yaml')
    const service = api.split('---').find((part) => part.includes('kind: Service') && part.includes('name: hooks'))
    expect(service).toContain('publishNotReadyAddresses: true')
  })

  it('send people to a live api when none is ready: without a broker the pages still work', () => {
    const file = read('deploy/haproxy/haproxy.cfg')
    expect(file).toMatch(/^ {4}use_backend living if \{ nbsrv\(api\) eq 0 \}$/m)
    expect(file.split('\nbackend living\n')[1]?.split('\nfrontend ')[0]).toContain('option httpchk GET /healthz')
    const api = read('deploy/kubernetes/api.yaml')
    const living = api.split('---').find((part) => /^kind: Service$/m.test(part) && /^ {2}name: living$/m.test(part))
    expect(living).toContain('publishNotReadyAddresses: true')
    expect(api).toMatch(/^ {4}nginx\.ingress\.kubernetes\.io\/default-backend: living$/m)
  })

  it('repeat no call that changes something: a call that one api received and did not answer goes to no other', () => {
    const people = read('deploy/haproxy/haproxy.cfg').split('\nbackend api\n')[1]?.split('\nfrontend ')[0]
    expect(people).toMatch(/^ {4}http-request disable-l7-retry unless METH_GET$/m)
  })

  it('end the connections of an api that hangs, but not of one that only is not ready', () => {
    const people = read('deploy/haproxy/haproxy.cfg').split('\nbackend api\n')[1]?.split('\nfrontend')[0]
    expect(people).toContain('http-check expect status 200 error-status L7OKC')
    expect(people).toMatch(/server-template .* on-marked-down shutdown-sessions$/m)
  })

  it('refuse clients in RMQTT when its hook does not answer, have one leader, and tell the api all nodes', () => {
    expect(read('deploy/rmqtt/rmqtt.toml')).toMatch(/^plugins\.disabled_default_startups = .*"rmqtt-acl"/m)
    expect(read('deploy/rmqtt/plugins/rmqtt-cluster-raft.toml')).toMatch(/^leader_id = 1$/m)
    for (const [path, node] of [
      ['docker-compose.yml', (id: number) => `http://rmqtt${id}:6060`],
      ['deploy/kubernetes/settings.yaml', (id: number) => `http://rmqtt-${id}.rmqtt:6060`]
    ] as const)
      for (const id of [1, 2, 3]) expect(read(path)).toContain(node(id))
  })

  it('name only metrics that the product has', () => {
    const source = globSync('apps/{api,broker}/src/**/*.ts', { cwd: rootDir })
      .filter((path) => !path.endsWith('.test.ts'))
      .map(read)
      .join('\n')
    const used = new Set(
      ['deploy/prometheus/alerts.yml', 'deploy/grafana/batti.json'].flatMap(
        (path) => read(path).match(/\bbatti_[a-z_]+/g) ?? []
      )
    )
    expect(used.size).toBeGreaterThan(10)
    for (const name of used) {
      const figure = name.replace(/_(bucket|count|sum)$/, '')
      const own = figure.replace(/^batti_(broker_)?/, '').replace(/_total$/, '')
      const isThere = [`'${figure}'`, `'${figure.replace(/^batti_/, '')}'`, `'${own}'`].some((text) =>
        source.includes(text)
      )
      expect(isThere, name).toBe(true)
    }
  })

  it('let Prometheus find every container of ours with metrics', () => {
    const { scrape_configs: jobs } = parse(read('deploy/prometheus/prometheus.yml')) as {
      scrape_configs: { job_name: string; dns_sd_configs: { names: string[] }[] }[]
    }
    const found = jobs.find(({ job_name: name }) => name === 'batti-api')?.dns_sd_configs.flatMap(({ names }) => names)
    const shown = services.filter(([, { environment }]) => environment?.['METRICS_PORT'] !== undefined)
    expect(found?.toSorted()).toEqual(shown.map(([name]) => name).toSorted())
  })

  it('give each workload of Kubernetes a disruption budget, probes, limits and no rights', () => {
    interface Resource {
      kind: string
      metadata: { name: string; namespace?: string }
      spec: {
        selector: { matchLabels: Record<string, string> }
        template: {
          spec: {
            containers: {
              readinessProbe?: object
              livenessProbe?: object
              resources?: { limits?: object; requests?: object }
              securityContext?: { readOnlyRootFilesystem?: boolean; capabilities?: { drop: string[] } }
            }[]
          }
        }
      }
    }
    const resources = globSync('deploy/kubernetes/*.yaml', { cwd: rootDir }).flatMap((path) =>
      parseAllDocuments(read(path)).map((document) => document.toJS() as Resource)
    )
    const budgets = resources.filter(({ kind }) => kind === 'PodDisruptionBudget')
    const workloads = resources.filter(({ kind }) => ['Deployment', 'StatefulSet'].includes(kind))
    expect(workloads.map(({ metadata }) => metadata.name).toSorted()).toEqual(['api', 'rmqtt'])
    for (const { metadata, spec } of workloads) {
      expect(budgets.map((budget) => budget.spec.selector)).toContainEqual(spec.selector)
      for (const container of spec.template.spec.containers) {
        expect(container.readinessProbe, metadata.name).toBeDefined()
        expect(container.livenessProbe, metadata.name).toBeDefined()
        expect(container.resources?.limits, metadata.name).toBeDefined()
        expect(container.securityContext).toMatchObject({
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] }
        })
      }
    }
  })

  describe.runIf(process.platform !== 'win32')('the secret of RMQTT', () => {
    function start(secret: string) {
      const run = testFolder('rmqtt')
      const own = { CONFIG_DIR: join(rootDir, 'deploy/rmqtt'), RUN_DIR: run, RMQTTD: 'true', NODE_ID: '1' }
      const { status, stderr } = runToEnd('sh', [join(rootDir, 'deploy/rmqtt/start.sh')], {
        env: { ...process.env, ...own, INTERNAL_SECRET: secret }
      })
      return { status, stderr, run }
    }

    it('is written into its files as it is', () => {
      const secret = '0123456789abcdef0123456789abcdef+/='
      const { status, run } = start(secret)
      expect(status).toBe(0)
      expect(readFileSync(join(run, 'plugins/rmqtt-http-api.toml'), 'utf8')).toContain(`"${secret}"`)
    })

    it.each(['&', '|', '"', '\\'])('is refused with %s, which the files cannot hold', (sign) => {
      const { status, stderr } = start(`0123456789abcdef${sign}0123456789abcdef`)
      expect(stderr).toMatch(/^INTERNAL_SECRET contains .*openssl rand -hex 32\n$/)
      expect(status).toBe(1)
    })
  })

  it('restrict RMQTT: no anonymous clients, one listener, a token, no storage', () => {
    const main = read('deploy/rmqtt/rmqtt.toml')
    expect(main.match(/^listener\.\w+\.\w+\.addr/gm)).toEqual(['listener.tls.external.addr'])
    expect(main).toContain('allow_anonymous = false')
    expect(main).not.toMatch(/storage"/)
    expect(read('deploy/rmqtt/plugins/rmqtt-http-api.toml')).toMatch(/^http_bearer_token = /m)
    expect(read('deploy/rmqtt/plugins/rmqtt-auth-http.toml')).toMatch(/^deny_if_error = true$/m)
    // Its management is on loopback, except in a network of its own.
    expect(read('deploy/rmqtt/start.sh')).toContain('${API_ADDR:-127.0.0.1:6060}')
    expect(read('deploy/kubernetes/rmqtt.yaml')).toContain("{ name: API_ADDR, value: '0.0.0.0:6060' }")
    for (const id of [1, 2, 3]) expect(compose.services[`rmqtt${id}`]?.environment?.['API_ADDR']).toBe('0.0.0.0:6060')
  })
})

it('the changelog begins with the version of package.json', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string }
  expect(/^## (\S+)/m.exec(read('CHANGELOG.md'))?.[1]).toBe(version)
})
