import { defaultHttpPort, defaultMqttPort } from '@batti/contracts/constants'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

export interface LaunchOptions {
  /** Absolute folder of everything that must survive a restart. */
  data: string
  /** 0 chooses a free port. */
  port: number
  mqttPort: number
  lan: boolean
  empty: boolean
  json: boolean
  dev: boolean
}

export type CommandLine = { run: LaunchOptions } | { help: true } | { fault: string }

export const helpText = `Batti on this machine: database, broker, api, web, and a demo home of simulated boards.

  npm start -- [options]

  --data DIR        where everything is kept (default .batti in this repository)
  --port N          address of the web app and the api (default ${defaultHttpPort}; 0 takes a free one)
  --mqtt-port N     where boards connect, by TLS (default ${defaultMqttPort}; 0 takes a free one)
  --lan             also for phones and boards in your network; prints the address and a QR code
  --empty           no demo home: only the admin's account (a data folder stays what it began as)
  --json            one line of JSON on stdout when up; everything else goes to stderr
  --help            this text

  npm run dev       the same, and each part starts again when its code changes

Settings such as MONGODB_URI, SMTP_URL or BRAND are read from the environment. Ctrl-C stops everything.`

/**
 * Reads the command line. A fault is one sentence about the first error.
 * @param root parent folder of the default data folder; a relative `--data` is resolved against `cwd`.
 */
export function readCommandLine(args: readonly string[], { root, cwd }: { root: string; cwd: string }): CommandLine {
  let values
  try {
    values = parse(args)
  } catch (error) {
    return { fault: faultOf(error) }
  }
  if (values.help === true) return { help: true }
  const port = readPort('--port', values.port, defaultHttpPort)
  const mqttPort = readPort('--mqtt-port', values['mqtt-port'], defaultMqttPort)
  if (typeof port === 'string') return { fault: port }
  if (typeof mqttPort === 'string') return { fault: mqttPort }
  if (port === mqttPort && port !== 0) return { fault: `--port and --mqtt-port are both ${port}: choose two.` }
  if (values.data === '') return { fault: '--data needs the name of a folder.' }
  return {
    run: {
      data: values.data === undefined ? resolve(root, '.batti') : resolve(cwd, values.data),
      port,
      mqttPort,
      lan: values.lan ?? false,
      empty: values.empty ?? false,
      json: values.json ?? false,
      dev: values.dev ?? false
    }
  }
}

function parse(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    options: {
      data: { type: 'string' },
      port: { type: 'string' },
      'mqtt-port': { type: 'string' },
      lan: { type: 'boolean' },
      empty: { type: 'boolean' },
      json: { type: 'boolean' },
      dev: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' }
    }
  }).values
}

function readPort(name: string, text: string | undefined, fallback: number): number | string {
  if (text === undefined) return fallback
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
  return `${name} is a number from 0 to 65535, not “${text}”.`
}

/** Says which word was wrong. Node's own messages explain its parser instead. */
function faultOf(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return String(error)
  const word = /'([^']+)'/.exec(error.message)?.[1] ?? ''
  const name = /--[\w-]+/.exec(word)?.[0] ?? word
  if (error.code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return `There is no option ${name}. See npm start -- --help.`
  if (error.code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL') return `“${word}” is no option. See npm start -- --help.`
  return error.message.includes('does not take an argument')
    ? `${name} takes no value.`
    : `${name} needs a value. See npm start -- --help.`
}
