import http from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'rolldown'

/** Plugins that keep unused code of libraries out of a program's memory. */
export const leanLibraries = (root: string): Plugin[] => [
  httpWithoutFetch,
  // The driver parses database URIs with it. It contains large Unicode tables; Node's URL does the same.
  replaceLibrary('whatwg-url', 'export const { URL, URLSearchParams } = globalThis'),
  // A copy of Node's streams for browsers and old versions of Node.
  replaceLibrary('readable-stream', "module.exports = process.getBuiltinModule('node:stream')"),
  replaceLibrary('debug', quietDebug),
  // Unicode tables of 2 MiB, for a MongoDB with passwords: the embedded engine has no accounts.
  onDemand('@mongodb-js/saslprep', ['saslprep']),
  // Rules of all countries, 2 MiB. A home seldom checks a phone number.
  onDemand('libphonenumber-js/max', ['parsePhoneNumberFromString']),
  rarePoolCheck,
  oneCopy(root)
]

/** Replaces a library with the given module text. */
const replaceLibrary = (library: string, text: string): Plugin => ({
  name: `replace-${library}`,
  resolveId: (id) => (id === library ? `\0${library}` : null),
  load: (id) => (id === `\0${library}` ? text : null)
})

/**
 * An ES import of `node:http` reads all its exports. Among them are WebSocket events, for which Node loads the client behind
 * `fetch`: 14 MiB in each process. This module takes the exports from the builtin object, without those.
 */
const httpWithoutFetch: Plugin = {
  name: 'http-without-fetch',
  resolveId: (id, _importer, { kind }) =>
    kind === 'import-statement' && /^(?:node:)?http$/.test(id) ? '\0node-http' : null,
  load: (id) => {
    if (id !== '\0node-http') return null
    const names = Object.keys(http).filter((name) => !webSocketNames.includes(name))
    return `const http = process.getBuiltinModule('node:http')
      export default http
      export const { ${names.join(', ')} } = http`
  }
}
const webSocketNames = ['WebSocket', 'CloseEvent', 'MessageEvent']

/** Replaces `debug`, which libraries bundle in several copies and call for every message. `DEBUG` loads the real one. */
const quietDebug = `
  const quiet = Object.assign(() => {}, { enabled: false, extend: () => quiet })
  const makeQuiet = () => quiet
  Object.assign(makeQuiet, { debug: makeQuiet, default: makeQuiet })
  module.exports = process.env.DEBUG
    ? process.getBuiltinModule('node:module').createRequire(${JSON.stringify(import.meta.url)})('debug')
    : makeQuiet`

/**
 * The driver checks its minimum pool size ten times a second and has no option against it: half of the CPU time of an idle
 * home. Our minimum is 0.
 */
const rarePoolCheck: Plugin = {
  name: 'rare-pool-check',
  transform: (code, id) =>
    /mongodb[\\/]lib[\\/]cmap[\\/]connection_pool\.js$/.test(id)
      ? code.replace('minPoolSizeCheckFrequencyMS ?? 100', 'minPoolSizeCheckFrequencyMS ?? 10000')
      : null
}

/** Loads a library when one of the given functions is called for the first time. */
const onDemand = (library: string, functions: readonly string[]): Plugin => ({
  name: `${library}-on-demand`,
  resolveId: (id, importer) => (id === library && importer !== undefined ? `\0${library}:${importer}` : null),
  load: (id) => {
    const importer = id.startsWith(`\0${library}:`) ? id.slice(library.length + 2) : null
    if (importer === null) return null
    return [
      "import { createRequire } from 'node:module'",
      `const loadFrom = createRequire(${JSON.stringify(pathToFileURL(importer).href)})`,
      ...functions.map(
        (name) => `export const ${name} = (...given) => loadFrom(${JSON.stringify(library)}).${name}(...given)`
      )
    ].join('\n')
  }
})

/** Bundles one copy of each. Libraries name several versions of mime-db and ws, and `import` and `require` load different bson files. */
function oneCopy(root: string): Plugin {
  const fileOf = (path: string): string => join(root, 'node_modules', path)
  const copies = new Map([
    ['bson', fileOf('bson/lib/bson.cjs')],
    ['mime-db', fileOf('mime-db/index.js')],
    ['ws', fileOf('ws/index.js')]
  ])
  return { name: 'one-copy', resolveId: (id) => copies.get(id) ?? null }
}
