import { mkdirSync, rmSync } from 'node:fs'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'rolldown'
import { runTask } from '../child-task.ts'
import { removeLeftDrafts } from '../left-drafts.ts'
import { bundleIn, isCommonJs, programs, takePlace, type BundleTask } from './bundles.ts'
import { leanLibraries } from './lean-libraries.ts'

/** Packages that are not bundled: native, large and rarely needed, or optional and usually not installed. */
const outside = [
  /^@aws-sdk\//,
  /^(?:bcrypt|sharp|nodemailer|ioredis|koffi|qrcode|chokidar)$/,
  /^(?:@mongodb-js\/zstd|aws4|bufferutil|gcp-metadata|kerberos|mongodb-client-encryption|snappy|socks|utf-8-validate)$/,
  /^(?:@aws-sdk|@napi-rs|supports-color)/
]
/** Preloaded into the parts that the launcher starts. */
const watchdog = 'packages/launcher/src/parts/parent-watchdog.ts'
const watched: readonly string[] = [programs.database, programs.broker, programs.api, programs.home, programs.boards]

/**
 * Node keeps a program's source text in memory while it runs. Functions and classes keep their names, because errors, logs
 * and mongoose show them.
 */
const minify = {
  compress: { keepNames: { function: true, class: true } },
  mangle: { keepNames: true },
  codegen: { removeWhitespace: true }
}

runTask<BundleTask, object>(async ({ root, folder }) => {
  const draft = `${folder}-${process.pid}`
  // Programs hold no secret, and the user who makes them may not be the one whose home starts from them.
  process.umask(0o022)
  try {
    // If it fails to create a folder, the bundler reports a fault of its own.
    mkdirSync(draft, { recursive: true })
    removeLeftDrafts(dirname(folder), /-(\d+)$/)
    for (const source of Object.values(programs)) await bundle(root, source, draft, folder)
    takePlace(draft, folder)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    // Another start may have made them in the meantime.
    if (!(error instanceof Error && /ENOTEMPTY|EEXIST/.test(error.message))) throw error
  }
})

async function bundle(root: string, source: string, draft: string, folder: string): Promise<void> {
  const output = bundleIn(draft, source)
  await build({
    // Independent of the folder that the launcher was started in.
    cwd: root,
    input: 'program',
    platform: 'node',
    // Node reads no tsconfig either, and an image has none.
    tsconfig: false,
    external: outside,
    plugins: [
      entryOf(root, source),
      inPlace(root, folder),
      setOwnFolder(folder),
      ...leanLibraries(root),
      oneByteACharacter
    ],
    logLevel: 'silent',
    // Else a program with exports would be a second file behind its entry.
    preserveEntrySignatures: 'allow-extension',
    output: {
      minify,
      comments: false,
      dir: dirname(output),
      ...(isCommonJs(source) ? { format: 'cjs', dynamicImportInCjs: false } : { format: 'esm' }),
      entryFileNames: basename(output),
      chunkFileNames: `${basename(source, '.ts')}-[hash]${extname(output)}`,
      // Programs compare this with their own path, to see whether they are the main module.
      banner: `process.argv[1] = ${JSON.stringify(join(root, source))};`
    }
  })
}

function entryOf(root: string, source: string): Plugin {
  const imported = watched.includes(source) ? [watchdog] : []
  const lines = [...imported.map((path) => ['import', path]), [isCommonJs(source) ? 'export * from' : 'import', source]]
  return {
    name: 'entry',
    resolveId: (id) => (id === 'program' ? '\0program' : null),
    load: (id) =>
      id === '\0program'
        ? lines.map(([words, path = '']) => `${words} ${JSON.stringify(join(root, path))}`).join('\n')
        : null
  }
}

const setOwnFolder = (folder: string): Plugin => ({
  name: 'own-bundle-folder',
  load: (id) =>
    id.endsWith('/bundle/own-bundle-folder.ts') ? `export const ownBundleFolder = ${JSON.stringify(folder)}` : null
})

/** A single non-ASCII character makes V8 store the whole program with two bytes per character. */
const oneByteACharacter: Plugin = {
  name: 'one-byte-a-character',
  generateBundle(_options, made) {
    for (const chunk of Object.values(made)) {
      if (chunk.type !== 'chunk') continue
      chunk.code = chunk.code.replaceAll(
        /[^\0-\x7f]/g,
        (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
      )
    }
  }
}

/** Resolves paths beside a source as before bundling, except that a program that it starts is the bundled one. */
function inPlace(root: string, folder: string): Plugin {
  const bundled = new Map(Object.values(programs).map((source) => [join(root, source), bundleIn(folder, source)]))
  const urlOf = (path: string): string => JSON.stringify(pathToFileURL(path).href)
  return {
    name: 'in-place',
    transform(code, id) {
      if (!code.includes('import.meta.')) return null
      return code
        .replaceAll(/new URL\('([^']+\.ts)', import\.meta\.url\)/g, (text, path: string) => {
          const other = bundled.get(resolve(dirname(id), path))
          return other === undefined ? text : `new URL(${urlOf(other)})`
        })
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
        .replaceAll('import.meta.url', urlOf(id))
    }
  }
}
