import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const worthItBytes = 500
const compressible = /\.(?:js|css|svg)$/

/**
 * Writes `.br` and `.gz` of each built JS, CSS and SVG file at the highest level. Browsers take brotli only on HTTPS
 * and localhost.
 */
export function precompress(): Plugin {
  let folder = ''
  return {
    name: 'precompress',
    apply: 'build',
    configResolved: (config) => {
      folder = resolve(config.root, config.build.outDir, config.build.assetsDir)
    },
    async closeBundle() {
      const files = await readdir(folder).catch((): string[] => [])
      await Promise.all(files.filter((file) => compressible.test(file)).map((file) => compressed(join(folder, file))))
    }
  }
}

async function compressed(file: string): Promise<void> {
  if ((await stat(file)).size < worthItBytes) return
  const content = await readFile(file)
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length
  }
  await writeFile(`${file}.br`, await promisify(brotliCompress)(content, { params }))
  await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }))
}
