import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { linkFaults } from './links.ts'
import { rootDir, runCommand } from './run-command.ts'

const { text } = await runCommand('git', ['ls-files', '--cached', '--others', '--exclude-standard'])
const all = text.split('\n').map((path) => `/${path}`)
const paths = text
  .split('\n')
  .filter((path) => /\.(?:md|tsx?|js|cjs|mjs|css|ya?ml)$|(?:^|\/)Dockerfile$/.test(path))
  // Skip generated pages, and the examples of this check itself.
  .filter((path) => !path.startsWith('docs/reference/') && !/^scripts\/links(?:\.test)?\.ts$/.test(path))
const sources = {
  has: (path: string) => existsSync(join(rootDir, path)),
  hasSome: (path: string) =>
    all.some((each) => (path.endsWith('/') ? each.includes(`/${path}`) : each.endsWith(`/${path}`))),
  read: (path: string) => readFileSync(join(rootDir, path), 'utf8')
}

let count = 0
for (const path of paths) {
  if (!sources.has(path)) continue
  for (const fault of linkFaults(path, sources.read(path), sources)) {
    count += 1
    console.log(`${path} ${fault}`)
  }
}
if (count > 0) process.exitCode = 1
else console.log(`The links of ${paths.length} files lead somewhere.`)
