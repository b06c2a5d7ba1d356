import http from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'rolldown'

/** What libraries bring for other places than ours stays out of a program's memory. */
export const leanLibraries = (root: string): Plugin[] => [
  httpWithoutFetch,
  // It reads addresses of databases with a table of all letters of the world; node's URL does the same.
  standIn('whatwg-url', 'export const { URL, URLSearchParams } = globalThis'),
  // Node's own streams, for browsers and old versions.
  standIn('readable-stream', "module.exports = process.getBuiltinModule('node:stream')"),
  standIn('debug', quietDebug),
  saslprepOnDemand,
  calmPool,
  oneCopy(root)
]

/** This text in place of a library. */
const standIn = (library: string, text: string): Plugin => ({
  name: `stand-in-for-${library}`,
  resolveId: (id) => (id === library ? `\0${library}` : null),
  load: (id) => (id === `\0${library}` ? text : null)
})

/**
 * An import of node's http reads all that it exports, and with the events of its WebSocket node loads the client behind
 * `fetch`: 14 MiB in each process. Taken as an object it brings what is used.
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

/** Asked for each message whether somebody listens, and there once for each library; `DEBUG` brings the library itself. */
const quietDebug = `
  const quiet = Object.assign(() => {}, { enabled: false, extend: () => quiet })
  const makeQuiet = () => quiet
  Object.assign(makeQuiet, { debug: makeQuiet, default: makeQuiet })
  module.exports = process.env.DEBUG
    ? process.getBuiltinModule('node:module').createRequire(${JSON.stringify(import.meta.url)})('debug')
    : makeQuiet`

/**
 * The driver looks after its least number of connections ten times a second, whatever it is, and no option says otherwise: half of
 * what a home at rest costs a processor. Ours is 0.
 */
const calmPool: Plugin = {
  name: 'calm-pool',
  transform: (code, id) =>
    /mongodb[\\/]lib[\\/]cmap[\\/]connection_pool\.js$/.test(id)
      ? code.replace('minPoolSizeCheckFrequencyMS ?? 100', 'minPoolSizeCheckFrequencyMS ?? 10000')
      : null
}

const saslprep = '@mongodb-js/saslprep'
/** Passwords of a MongoDB with accounts pass through its tables of letters, 2 MiB; the embedded engine has no accounts. */
const saslprepOnDemand: Plugin = {
  name: 'saslprep-on-demand',
  resolveId: (id, importer) => (id === saslprep && importer !== undefined ? `\0${saslprep}:${importer}` : null),
  load: (id) => {
    const importer = id.startsWith(`\0${saslprep}:`) ? id.slice(saslprep.length + 2) : null
    if (importer === null) return null
    return `import { createRequire } from 'node:module'
      const loadFrom = createRequire(${JSON.stringify(pathToFileURL(importer).href)})
      export const saslprep = (...given) => loadFrom(${JSON.stringify(saslprep)}).saslprep(...given)`
  }
}

/** Libraries name several versions of a list, or ask for one file by `import` and another by `require`. */
function oneCopy(root: string): Plugin {
  const fileOf = (path: string): string => join(root, 'node_modules', path)
  const copies = new Map([
    ['bson', fileOf('bson/lib/bson.cjs')],
    ['mime-db', fileOf('mime-db/index.js')]
  ])
  return { name: 'one-copy', resolveId: (id) => copies.get(id) ?? null }
}
