/**
 * `npm run interop [-- NAME ...]`: tests the product with third-party programs: the tools that read the files in deploy/
 * (`deploy`), Firefox and WebKit (`browsers`), the servers of a cluster (`cluster [--quick] [--build-rmqtt]`), and clients
 * of the embedded database, each on an empty one. Packages are installed in `.batti/interop`, outside of the source tree. Tests whose packages are not
 * available (no network, no Python) are reported and skipped.
 */
import { spawnSync, type SpawnSyncOptions } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRecord, parseJson } from '@batti/kit/json'
import { startServerProcess } from '../packages/embedded-mongo/src/testing/server-process.ts'
import { checkBrowsers } from './interop/browsers.ts'
import { checkDeploy } from './interop/deploy.ts'
import { hasPackages } from './interop/npm-packages.ts'
import { rootDir } from './run-command.ts'

const home = join(rootDir, '.batti', 'interop')

type Outcome = 'passed' | 'failed' | { passedOver: string }

/** The tests of one name. A suite starts everything that it needs. */
type Suite = () => Promise<Outcome>

const run = (command: string, args: readonly string[], options: SpawnSyncOptions = {}): boolean =>
  spawnSync(command, args, { stdio: 'inherit', ...options }).status === 0

/** Returns a suite that runs one of our scripts with the packages that it needs. */
function onPackages(script: string, packages: readonly string[]): Suite {
  return async () => {
    const folder = join(home, script)
    if (!hasPackages(folder, packages))
      return { passedOver: `its packages could not be installed: ${packages.join(' ')}` }
    copyFileSync(join(rootDir, 'scripts/interop', `${script}.mjs`), join(folder, 'run.mjs'))
    return onDatabase((uri) => (run(process.execPath, ['run.mjs', uri], { cwd: folder }) ? 'passed' : 'failed'))
  }
}

const pymongo: Suite = async () => {
  const folder = join(home, 'pymongo')
  const python = join(folder, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python')
  if (!existsSync(python) && !run('python3', ['-m', 'venv', folder], { stdio: 'ignore' }))
    return { passedOver: 'there is no python3 with venv' }
  if (!run(python, ['-m', 'pip', 'install', '-q', '--disable-pip-version-check', 'pymongo==4.20.0']))
    return { passedOver: 'pymongo could not be installed' }
  return onDatabase((uri) =>
    run(python, [join(rootDir, 'scripts/interop/pymongo-driver.py'), uri]) ? 'passed' : 'failed'
  )
}

/** Runs mongoose's own tests of the version that the product uses. They are in no npm package. */
const mongoose: Suite = async () => {
  const version = textIn(readFileSync(join(rootDir, 'node_modules/mongoose/package.json'), 'utf8'), 'version')
  const folder = join(home, 'mongoose')
  if (!existsSync(join(folder, 'test', 'model.test.js'))) {
    return {
      passedOver: `its sources are not there. Get them with
  git clone --depth 1 --branch ${version} https://github.com/Automattic/mongoose "${folder}"
  cd "${folder}" && npm install --ignore-scripts`
    }
  }
  const found = textIn(readFileSync(join(folder, 'package.json'), 'utf8'), 'version')
  if (found !== version) console.log(`The sources are those of ${found}; the product uses ${version}.`)
  const report = join(folder, 'report.json')
  const ignored = ['test/encryption/**', 'test/docs/**', 'test/deno*'].flatMap((glob) => ['--ignore', glob])
  const how = ['--exit', '--timeout', '10000', '--reporter', 'json', '--reporter-option', `output=${report}`]
  return onDatabase((uri) => {
    const env = { ...process.env, MONGOOSE_TEST_URI: uri, MONGOOSE_REPLSET_URI: uri, CREATE_REPLICA_SET: '' }
    const mocha = join(folder, 'node_modules/mocha/bin/mocha.js')
    run(process.execPath, [mocha, ...how, ...ignored, './test/**/*.test.js'], { cwd: folder, env, stdio: 'ignore' })
    return judged(readFileSync(report, 'utf8'))
  })
}

/** Evaluates a test report. Features that the database refuses, as its README says, do not count as failures. */
function judged(report: string): Outcome {
  const read = parseJson(report)
  const listed = (name: string): unknown[] => (isRecord(read) && Array.isArray(read[name]) ? read[name] : [])
  const failures = listed('failures').map((test) => {
    const error = isRecord(test) && isRecord(test['err']) ? String(test['err']['message']) : ''
    return { title: isRecord(test) ? String(test['fullTitle']) : '', error }
  })
  const others = failures.filter(({ error }) => !error.includes("is not supported by Batti's embedded database"))
  console.log(
    `${listed('passes').length} passed, ${failures.length - others.length} refused by name, ${others.length} failed`
  )
  for (const { title, error } of others) console.log(`  ${title}: ${error.slice(0, 150)}`)
  return others.length === 0 ? 'passed' : 'failed'
}

/** Flags for the cluster: a shorter downtime of Redis; build RMQTT if it is missing. */
const flags = process.argv.filter((arg) => ['--quick', '--build-rmqtt'].includes(arg))

/** Runs two apis on Redis, with the brokers and HAProxy that are installed here. */
const cluster: Suite = () => {
  const script = join(rootDir, 'bench/src/cluster/interop.ts')
  const { status } = spawnSync(process.execPath, [script, ...flags], { stdio: 'inherit' })
  return Promise.resolve(
    status === 0 ? 'passed' : status === 3 ? { passedOver: 'what it needs is not installed here' } : 'failed'
  )
}

const suites: Readonly<Record<string, Suite>> = {
  deploy: () => checkDeploy(home),
  browsers: () => checkBrowsers(home),
  cluster,
  agenda: onPackages('agenda', ['agenda@6.2.6', '@agendajs/mongo-backend@4.0.3', 'mongodb@7.8.0']),
  'connect-mongo': onPackages('connect-mongo', ['connect-mongo@6.0.0', 'express-session@1.18.2', 'mongodb@7.8.0']),
  typegoose: onPackages('typegoose', ['@typegoose/typegoose@13.4.0', 'mongoose@9.7.3', 'reflect-metadata@0.2.2']),
  pymongo,
  mongoose
}

/** Returns a text field of a JSON object. */
function textIn(json: string, field: string): string {
  const read = parseJson(json)
  const value = isRecord(read) ? read[field] : undefined
  if (typeof value !== 'string') throw new Error(`there is no ${field} in ${json.slice(0, 100)}`)
  return value
}

/** Runs `work` on an empty embedded database. */
async function onDatabase(work: (uri: string) => Outcome): Promise<Outcome> {
  const data = mkdtempSync(join(tmpdir(), 'batti-interop-'))
  try {
    const server = await startServerProcess(data, ['--port', '0'])
    try {
      return work(server.uri)
    } finally {
      await server.stop()
    }
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
}

const asked = process.argv.slice(2).filter((arg) => !flags.includes(arg))
const unknown = asked.find((name) => !Object.hasOwn(suites, name))
const whatThereIs = `There are: ${Object.keys(suites).join(', ')}; of the cluster, --quick and --build-rmqtt.`
if (asked.includes('--help')) console.log(`npm run interop [-- NAME ...]: all, or those that are named. ${whatThereIs}`)
else if (unknown !== undefined) {
  console.error(`There is no ${unknown}. ${whatThereIs}`)
  process.exitCode = 1
} else {
  for (const [name, suite] of Object.entries(suites)) {
    if (asked.length > 0 && !asked.includes(name)) continue
    console.log(`${name} …`)
    const outcome = await suite()
    console.log(typeof outcome === 'string' ? `${name}: ${outcome}` : `${name}: passed over, ${outcome.passedOver}`)
    if (outcome === 'failed') process.exitCode = 1
  }
}
