import { replaceFile } from '@batti/kit/node/durable-file'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire, Module } from 'node:module'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'
import { crc32 } from 'node:zlib'

/** A loaded program. */
export interface LoadedProgram<Exports> {
  exports: Exports
  /** Keeps the code that V8 has compiled so far for the next start, unless this start used kept code. */
  keepCode(): void
}

type Run<Exports> = (exports: object, require: NodeJS.Require) => Exports

/**
 * Loads a bundled program (`.cjs`) with the code that an earlier start kept beside it, and any other module as Node does. Node's own
 * compile cache would hold the code that it has read, 4 MiB, until the process ends.
 */
export async function loadProgram<Exports>(url: URL): Promise<LoadedProgram<Exports>> {
  if (!url.pathname.endsWith('.cjs')) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the caller says is there
    return { exports: (await import(url.href)) as Exports, keepCode: () => undefined }
  }
  const path = fileURLToPath(url)
  const codePath = `${path}.code`
  const cachedData = readCode(codePath)
  // Latin-1, because the bundler writes ASCII: V8 then stores one byte a character.
  const text = readFileSync(path, 'latin1')
  const script = new Script(`(function (exports, require) { 'use strict'; ${text}\nreturn exports })`, {
    filename: path,
    ...(cachedData === null ? {} : { cachedData })
  })
  let unkept = cachedData === null || script.cachedDataRejected === true ? script : null
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the function of the text above
  const run = script.runInThisContext() as Run<Exports>
  const require = createRequire(path)
  const exports = {}
  // The program's other files require it.
  require.cache[path] = Object.assign(new Module(path), { filename: path, loaded: true, exports })
  return {
    exports: run(exports, require),
    keepCode() {
      // A removed folder must not come back with nothing but this: a start would take it for its bundles.
      if (unkept !== null && existsSync(path)) writeCode(codePath, unkept.createCachedData())
      unkept = null
    }
  }
}

const checksumBytes = 4

/** Returns the kept code; null when there is none, or when it is not as it was written, which V8 itself would not notice. */
function readCode(path: string): Buffer | null {
  try {
    const kept = readFileSync(path)
    const code = kept.subarray(0, -checksumBytes)
    return kept.readUInt32LE(code.length) === crc32(code) ? code : null
  } catch {
    return null
  }
}

function writeCode(path: string, code: Buffer): void {
  const checksum = Buffer.alloc(checksumBytes)
  checksum.writeUInt32LE(crc32(code))
  try {
    replaceFile(path, Buffer.concat([code, checksum]), true)
  } catch {
    // A folder that cannot be written to costs the next start some time.
  }
}
