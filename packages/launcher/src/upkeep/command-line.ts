import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

export type UpkeepCommand =
  | { command: 'backup' | 'restore'; data: string; file: string }
  | { command: 'move'; data: string; uri: string }
  | { command: 'doctor'; data: string; json: boolean }

export type UpkeepLine = { run: UpkeepCommand } | { help: true } | { fault: string }

export const upkeepHelp = `Upkeep of an installation.

  npm run batti -- backup FILE       everything in one archive, also while it runs: database, keys, certificates, uploads
  npm run batti -- restore FILE      puts an archive in the place of the data folder (Batti stopped); the folder that was
                                     there is kept beside it
  npm run batti -- move URI          copies the embedded database to MongoDB (Batti stopped), and compares the counts
  npm run batti -- move back         copies the MongoDB of MONGODB_URI into the embedded database again
  npm run batti -- doctor [--json]   says what is wrong with an installation, where, and what to do

  --data DIR   the data folder (default .batti in this repository)
  --help       this text

Settings such as MONGODB_URI, DATA_KEY or DATA_DIR are read from the environment, as npm start reads them.
It ends with 0 when all is well, and with 1 and a sentence for each fault.`

const seeHelp = 'See npm run batti -- --help.'

/**
 * Reads the command line. A fault is one sentence about the first error.
 * @param root parent folder of the default data folder; relative paths are resolved against `cwd`.
 */
export function readUpkeepLine(args: readonly string[], { root, cwd }: { root: string; cwd: string }): UpkeepLine {
  let read
  try {
    read = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { data: { type: 'string' }, json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } }
    })
  } catch (error) {
    const word = error instanceof Error ? (/'(-[^'\s]+)/.exec(error.message)?.[1] ?? '') : ''
    return {
      fault: word === '--data' ? '--data needs the name of a folder.' : `There is no option ${word}. ${seeHelp}`
    }
  }
  const { values, positionals } = read
  const [command = '', ...rest] = positionals
  if (values.help === true || command === 'help') return { help: true }
  if (values.data === '') return { fault: '--data needs the name of a folder.' }
  const data = values.data === undefined ? resolve(root, '.batti') : resolve(cwd, values.data)
  const [target] = rest
  if (command === 'doctor') {
    if (target !== undefined) return { fault: `doctor takes no “${target}”. ${seeHelp}` }
    return { run: { command, data, json: values.json ?? false } }
  }
  if (values.json === true) return { fault: `Only doctor takes --json. ${seeHelp}` }
  if (command !== 'backup' && command !== 'restore' && command !== 'move')
    return { fault: command === '' ? `Say what to do. ${seeHelp}` : `There is no command “${command}”. ${seeHelp}` }
  if (target === undefined || target === '' || rest.length > 1) {
    const wanted = command === 'move' ? 'the URI of a database' : 'the name of one file'
    return { fault: `${command} needs ${wanted}. ${seeHelp}` }
  }
  return command === 'move'
    ? { run: { command, data, uri: target } }
    : { run: { command, data, file: resolve(cwd, target) } }
}
