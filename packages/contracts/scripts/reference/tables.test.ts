import { describe, expect, it } from 'vitest'
import { asyncApiDocument } from './asyncapi.ts'
import { openApiDocument } from './openapi.ts'
import { isObject } from './schema-book.ts'
import { httpPage, mqttPage, socketPage } from './tables.ts'

const namesOf = ({ components }: { [field: string]: unknown }): string[] =>
  isObject(components) && isObject(components['schemas']) ? Object.keys(components['schemas']) : []

describe.each([
  ['http.md', httpPage(), namesOf(openApiDocument())],
  ['mqtt.md', mqttPage(), namesOf(asyncApiDocument())],
  ['socket.md', socketPage(), namesOf(asyncApiDocument())]
])('%s', (_, page, names) => {
  it('describes every shape that it names', () => {
    const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(page))
    expect(used.length).toBeGreaterThan(1)
    expect(used.filter((name) => !page.includes(`\n| \`${name}\` | \`{ `))).toEqual([])
  })
})

it('socket.md says what each event is for', () => {
  expect(socketPage().match(/^\| `[\w-]+` \|\s+\|/gm)).toBeNull()
})
