import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isRecord, parseJson } from '@batti/kit/json'
import { systemClock } from '@batti/kit/clock'
import { messageOf } from '@batti/kit/message-of'
import { calledFrom } from '@batti/kit/node/config'
import { readSettings } from '../config.ts'
import { backUp } from './backup.ts'
import { diskRefusal } from '../data/disk-refusal.ts'
import { createProgress, inStep } from '../launch/progress.ts'
import { readUpkeepLine, upkeepHelp, type UpkeepCommand } from './command-line.ts'
import { couldNotLook, examine } from './doctor/doctor.ts'
import { faultLine, type Fault } from './doctor/fault.ts'
import { refuseUnmounted } from './half-restored.ts'
import { describeInstallation } from './installation.ts'
import { moveBack, moveTo } from './move.ts'
import { restore } from './restore.ts'

const titles = { backup: 'Backing up', restore: 'Restoring', move: 'Moving the database' } as const
const root = resolve(import.meta.dirname, '../../../..')
const settings = readSettings()
const line = readUpkeepLine(process.argv.slice(2), { root, cwd: calledFrom(settings.env) })

if ('help' in line) console.log(upkeepHelp)
else if ('fault' in line) {
  complain(line.fault, { what: line.fault, where: 'the command line', do: 'See npm run batti -- --help.' })
  process.exitCode = 1
} else {
  // Only the owner may read the files that are created here.
  process.umask(0o077)
  try {
    process.exitCode = await run(line.run)
  } catch (error) {
    const { message } = diskRefusal(error, folderOf(line.run)) ?? { message: messageOf(error) }
    complain(message, couldNotLook(error, line.run.data))
    process.exitCode = 1
  }
}

/** Returns the folder that the command writes to. */
function folderOf(command: UpkeepCommand): string {
  return command.command === 'backup' ? dirname(command.file) : command.data
}

/** Reports a failure: as text, or as JSON for `doctor --json`. */
function complain(words: string, fault: Fault): void {
  const isRead = ['doctor', '--json'].every((word) => process.argv.includes(word))
  if (isRead) console.log(JSON.stringify({ faults: [fault] }))
  else console.error(words)
}

async function run(command: UpkeepCommand): Promise<number> {
  const installation = describeInstallation(command.data, settings)
  const now = new Date(systemClock.now()).toISOString()
  const stamp = now.replaceAll(/[:.]/g, '-')
  if (command.command === 'doctor')
    return notifyFaults(command.json, await examine(installation, settings, systemClock.now()))
  if (command.command !== 'backup') refuseUnmounted(command.data)
  const progress = createProgress({ clock: systemClock, terminal: process.stderr })
  // A log gets only the outcome.
  const said = await (process.stderr.isTTY
    ? inStep(progress, titles[command.command], () => maintain(command))
    : maintain(command))
  for (const sentence of said) console.log(sentence)
  return 0

  function maintain(asked: Exclude<UpkeepCommand, { command: 'doctor' }>): Promise<string[]> {
    switch (asked.command) {
      case 'backup':
        return backUp(installation, asked.file, { version: version(), madeAt: now })
      case 'restore':
        return restore(installation, asked.file, stamp)
      case 'move':
        return asked.uri === 'back' ? moveBack(installation, stamp) : moveTo(installation, asked.uri, now)
    }
  }
}

function notifyFaults(json: boolean, faults: Awaited<ReturnType<typeof examine>>): number {
  if (json) console.log(JSON.stringify({ faults }))
  else for (const fault of faults) console.log(faultLine(fault))
  if (!json && faults.length === 0) console.log('Nothing is wrong.')
  return faults.length === 0 ? 0 : 1
}

function version(): string {
  const read = parseJson(readFileSync(join(root, 'package.json'), 'utf8'))
  const found = isRecord(read) ? read['version'] : undefined
  return typeof found === 'string' ? found : 'unknown'
}
