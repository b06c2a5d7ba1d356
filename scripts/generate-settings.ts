/**
 * Writes docs/settings.md, and what docker-compose.yml hands through, from the schemas that read the settings; `--check` says
 * whether they are as those.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { environment as ofApi } from '../apps/api/src/platform/config.ts'
import { environment as ofBroker } from '../apps/broker/src/config.ts'
import { launcherSettings } from '../packages/launcher/src/config.ts'
import { withSettings } from './compose-settings.ts'
import { rootDir } from './run-command.ts'
import { settingGroups } from './settings-words.ts'

const parts = { api: ofApi, broker: ofBroker }

interface Setting {
  readBy: string[]
  required: boolean
  standard: unknown
}

function readSchemas(): Map<string, Setting> {
  const settings = new Map<string, Setting>()
  for (const [part, schema] of Object.entries(parts)) {
    const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
    for (const [name, described] of Object.entries(properties)) {
      const standard = typeof described === 'object' && 'default' in described ? described.default : undefined
      const before = settings.get(name)
      settings.set(name, {
        readBy: [...(before?.readBy ?? []), part],
        required: required.includes(name),
        standard: before?.standard ?? standard
      })
    }
  }
  return settings
}

function standardOf({ required, standard }: Setting): string {
  if (required) return 'must be set'
  if (standard === undefined || (Array.isArray(standard) && standard.length === 0)) return '\u2013'
  if (typeof standard === 'boolean') return standard ? '`1`' : '`0`'
  return `\`${Array.isArray(standard) ? standard.join(',') : typeof standard === 'string' ? standard : JSON.stringify(standard)}\``
}

function refuse(sentence: string): never {
  console.error(sentence)
  process.exit(1)
}

function pageOf(settings: ReadonlyMap<string, Setting>): string {
  const wordless = [...settings.keys()].filter(
    (name) => !Object.values(settingGroups).some((group) => Object.hasOwn(group, name))
  )
  const gone = Object.values(settingGroups).flatMap((group) => Object.keys(group).filter((name) => !settings.has(name)))
  if (wordless.length > 0) refuse(`Say in scripts/settings-words.ts what they are for: ${wordless.join(', ')}.`)
  if (gone.length > 0) refuse(`Nobody reads these: take them out of scripts/settings-words.ts: ${gone.join(', ')}.`)
  const tables = Object.entries(settingGroups).map(([title, group]) => {
    const rows = Object.entries(group).map(([name, words]) => {
      const setting = settings.get(name)
      return setting === undefined
        ? ''
        : `| \`${name}\` | ${standardOf(setting)} | ${words} | ${setting.readBy.join(', ')} |`
    })
    return [`## ${title}`, '', '| Setting | Default | | Read by |', '|---|---|---|---|', ...rows, ''].join('\n')
  })
  return [
    '# Settings',
    '',
    'Environment variables. `npm start` sets what it can by itself, secrets too; in production and with Docker they are yours to',
    'set. What is missing or wrong is named, all at once, and the process ends with 1. Empty counts as not set, lists are',
    'separated by commas, and a switch is `1` or `0`.',
    '',
    'Written by `npm run generate` from the schemas that read them.',
    '',
    ...tables
  ].join('\n')
}

const ofParts = readSchemas()
const settings = new Map(ofParts)
for (const [name, standard] of Object.entries(launcherSettings))
  settings.set(name, { readBy: ['npm start'], required: false, standard })
const composeFile = join(rootDir, 'docker-compose.yml')
const compose = await readFile(composeFile, 'utf8')
const pages = [
  { path: join(rootDir, 'docs/settings.md'), text: `${pageOf(settings).trimEnd()}\n` },
  { path: composeFile, text: withSettings(compose, [...ofParts.keys()]) }
]
for (const { path, text } of pages) {
  if (!process.argv.includes('--check')) await writeFile(path, text)
  else if ((await readFile(path, 'utf8').catch(() => '')) !== text) {
    console.error(`${path} is not as the schemas are.`)
    process.exitCode = 1
  }
}
