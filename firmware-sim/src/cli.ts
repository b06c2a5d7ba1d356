import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { boardTypeCodes, isBoardTypeCode, type BoardTypeCode } from '@batti/contracts/board-types'
import { messageOf } from '@batti/kit/message-of'
import { faultPatch, noFaults, type FaultPatch } from './board/faults.ts'
import type { OwnerAccount } from './pairing.ts'

export interface SimOptions {
  boards: number
  fresh: number
  models: readonly BoardTypeCode[]
  account: OwnerAccount | null
  flash: string | null
  host: string
  /** Port of the wall. Null: no wall. 0: a free port. */
  wall: number | null
  /** First port of the setup pages; 0 chooses a free one for each. */
  setupPorts: number
  /** URL of the app, to which the wall links. */
  app: URL | null
  faults: FaultPatch
  trustedKeys: readonly string[]
  json: boolean
}

export type CliAnswer = { readonly run: SimOptions } | { readonly help: true } | { readonly faults: readonly string[] }

export const helpText = `Simulated Batti boards: they pair, connect and report as hardware does.

  npm run sim -- [options]

Boards
  --fresh N          N boards fresh from the factory, in setup mode for ten minutes, each with
                     its own setup page (default 1 when nothing else is asked for)
  --boards N         N boards that are set up for you, through the real API; needs --api,
                     --email and --password until they are paired
  --models A,B,...   models in turn: ${boardTypeCodes.join(', ')} (default: all of them)
  --flash DIR        keep the boards in files: the next start brings all of them back as they
                     were, and --boards and --fresh only make what is missing
                     (default: in memory, gone at the end)

Where
  --api URL          the server, for example http://127.0.0.1:49998
  --email E --password P
                     the account that will own the boards
  --wall PORT        the page that shows the boards on a wall, and its control API
                     (default: a free port; --no-wall for none)
  --app URL          where people open the app, for the wall's links (default: that of --api)
  --setup-ports N    first port of the setup pages (default: free ones)
  --host H           address that wall and setup pages listen at (default 127.0.0.1)

Updates
  --trusted-keys A,B PEM files: boards take only images that one of these keys has signed

Trouble
  --faults LIST      what is wrong with every board, for example
                     latency-ms=200,jitter-ms=50,ack-loss=0.3,command-loss=0.1,report-loss=0.1,
                     duplicates=2,reorder=20,silent,offline,
                     update=bad-image (or broken-line, power-cut, boot-fails, silent, slower)

Output
  --json             one line on stdout when up: {"wall","boards":[{"mac","model","setupUrl","paired"}]}
  --help             this text

Examples
  npm run sim
      one board to set up by hand, and the wall in your browser
  npm run sim -- --fresh 4 --flash ./boards --wall 49980
      four boards that are still there tomorrow
  npm run sim -- --boards 500 --api http://127.0.0.1:49998 --email me@example.com --password secret
      a fleet in one process; an account has at most 100 boards unless the server has
      LIMIT_BOARDS=0

Ctrl-C stops: every board says good-bye as hardware that is switched off in order would.`

/**
 * Reads the command line. `faults` lists all its errors, each in a sentence.
 * @param cwd folder that relative paths are resolved against.
 */
export function readCommandLine(args: readonly string[], cwd: string): CliAnswer {
  let values
  try {
    values = parse(args)
  } catch (error) {
    return { faults: [messageOf(error)] }
  }
  if (values.help) return { help: true }
  const faults: string[] = []
  const count = (name: string, text: string | undefined, max: number, fallback: number): number => {
    if (text === undefined) return fallback
    const value = Number(text)
    if (/^\d+$/.test(text) && value <= max) return value
    faults.push(`--${name} is a whole number from 0 to ${max}, not “${text}”.`)
    return fallback
  }
  const boards = count('boards', values.boards, 20_000, 0)
  const options: SimOptions = {
    boards,
    fresh: count('fresh', values.fresh, 500, boards > 0 || values.flash !== undefined ? 0 : 1),
    models: readModels(values.models, faults),
    account: readAccount(values, faults),
    flash: values.flash === undefined ? null : resolve(cwd, values.flash),
    host: values.host ?? '127.0.0.1',
    app: readAddress(values.app === undefined ? 'api' : 'app', values.app ?? values.api, faults),
    wall: values.wall === false ? null : count('wall', values['wall-port'], 65_535, 0),
    setupPorts: count('setup-ports', values['setup-ports'], 65_000, 0),
    faults: readFaults(values.faults, faults),
    trustedKeys: values['trusted-keys']?.split(',').map((file) => resolve(cwd, file.trim())) ?? [],
    json: values.json ?? false
  }
  return faults.length > 0 ? { faults } : { run: options }
}

function parse(args: readonly string[]) {
  // For users, `--wall PORT` and `--no-wall` are one option; the parser needs two.
  const spread = args.flatMap((arg, index) => {
    if (arg === '--wall') return /^\d+$/.test(args[index + 1] ?? '') ? ['--wall-port'] : ['--wall']
    return arg.startsWith('--wall=') ? [`--wall-port=${arg.slice('--wall='.length)}`] : [arg]
  })
  return parseArgs({
    args: spread,
    allowNegative: true,
    options: {
      boards: { type: 'string' },
      fresh: { type: 'string' },
      models: { type: 'string' },
      api: { type: 'string' },
      email: { type: 'string' },
      password: { type: 'string' },
      flash: { type: 'string' },
      wall: { type: 'boolean' },
      'wall-port': { type: 'string' },
      'setup-ports': { type: 'string' },
      host: { type: 'string' },
      app: { type: 'string' },
      faults: { type: 'string' },
      'trusted-keys': { type: 'string' },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' }
    }
  }).values
}

function readModels(text: string | undefined, faults: string[]): readonly BoardTypeCode[] {
  if (text === undefined) return boardTypeCodes
  const names = text.split(',').map((name) => name.trim().toUpperCase())
  const known = names.filter(isBoardTypeCode)
  if (known.length === names.length) return known
  faults.push(`--models knows ${boardTypeCodes.join(', ')}; “${text}” names something else.`)
  return boardTypeCodes
}

function readAccount(
  values: { api?: string | undefined; email?: string | undefined; password?: string | undefined },
  faults: string[]
): SimOptions['account'] {
  const { api, email, password } = values
  if (api === undefined && email === undefined && password === undefined) return null
  if (api === undefined || email === undefined || password === undefined) {
    faults.push('--api, --email and --password belong together.')
    return null
  }
  const url = readAddress('api', api, faults)
  return url === null ? null : { api: url, email, password }
}

function readAddress(name: string, text: string | undefined, faults: string[]): URL | null {
  const url = text === undefined ? null : URL.parse(text)
  if (text === undefined || (url !== null && /^https?:$/.test(url.protocol))) return url
  const fault = `--${name} is an address such as http://127.0.0.1:49998, not “${text}”.`
  if (!faults.includes(fault)) faults.push(fault)
  return null
}

const readFault = (value: string | undefined): string | number | boolean =>
  value === undefined ||
  value === 'true' ||
  (value === 'false' ? false : /^[\d.]+$/.test(value) ? Number(value) : value)

function readFaults(text: string | undefined, faults: string[]): FaultPatch {
  if (text === undefined) return {}
  const pairs = text.split(',').map((item) => {
    const [name = '', value] = item.trim().split('=')
    const key = name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
    return [key, readFault(value)] as const
  })
  const unknown = pairs.find(([key]) => !Object.hasOwn(noFaults, key))
  const parsed = faultPatch.safeParse(Object.fromEntries(pairs))
  if (unknown === undefined && parsed.success) return parsed.data
  faults.push(`--faults does not understand “${text}”. See --help for the list.`)
  return {}
}
