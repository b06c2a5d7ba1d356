import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { boardTypes } from '../board-types.ts'
import { downPayloads, upPayloads } from './payloads.ts'

const page = readFileSync(join(import.meta.dirname, '../../../../docs/protocol.md'), 'utf8')
const schemas = new Map<string, z.ZodType>([
  ...Object.entries(upPayloads).map(([name, schema]) => [`up/${name}`, schema] as const),
  ...Object.entries(downPayloads).map(([name, schema]) => [`down/${name}`, schema] as const)
])
const messages = [...page.matchAll(/^(board|server) +d\/ID\/(\S+) (\{.*\})$/gm)]

test('the messages of docs/protocol.md are of the contracts', () => {
  for (const [line, sender, topic = '', payload = ''] of messages) {
    expect(topic.startsWith('up/'), line).toBe(sender === 'board')
    const sent: unknown = JSON.parse(payload)
    expect(schemas.get(topic)?.parse(sent), line).toEqual(sent)
  }
  const shown = new Set(messages.map(([, , topic]) => topic))
  const ofUpdates = new Set(['up/firmware-progress', 'down/firmware-update'])
  expect([...schemas.keys()].filter((topic) => !shown.has(topic) && !ofUpdates.has(topic))).toEqual([])
})

test('docs/protocol.md names every model that a new server knows', () => {
  for (const { deviceCode, hwModel } of Object.values(boardTypes))
    expect(page).toContain(`\`${deviceCode}\` \`${hwModel}\``)
})
