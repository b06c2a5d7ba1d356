/**
 * `npm run generate` writes docs/reference from the contracts. `--check` writes nothing, and fails if the files on disk
 * are out of date. The output is deterministic.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { asyncApiDocument } from './reference/asyncapi.ts'
import { openApiDocument } from './reference/openapi.ts'
import { constantsPage, errorsPage, httpPage, mqttPage, socketPage } from './reference/tables.ts'

const folder = join(import.meta.dirname, '../../../docs/reference')
const asJson = (document: object): string => `${JSON.stringify(document, null, 2)}\n`
const files: Readonly<Record<string, string>> = {
  'openapi.json': asJson(openApiDocument()),
  'asyncapi.json': asJson(asyncApiDocument()),
  'http.md': httpPage(),
  'mqtt.md': mqttPage(),
  'socket.md': socketPage(),
  'errors.md': errorsPage(),
  'constants.md': constantsPage()
}

if (process.argv.includes('--check')) {
  const stale: string[] = []
  for (const [name, content] of Object.entries(files)) {
    if ((await readFile(join(folder, name), 'utf8').catch(() => '')) !== content) stale.push(name)
  }
  if (stale.length > 0) {
    console.error(`docs/reference is not what the contracts say: ${stale.join(', ')}. Run \`npm run generate\`.`)
    process.exitCode = 1
  }
} else {
  await mkdir(folder, { recursive: true })
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
  console.log(`Wrote ${Object.keys(files).length} files into docs/reference.`)
}
