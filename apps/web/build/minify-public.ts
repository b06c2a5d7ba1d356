import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { minify, type Plugin } from 'vite'

/** Scripts that the browser loads by a fixed name, so that they are no part of the bundle. */
const scripts = ['theme.js', 'sw.js']

/** Minifies what Vite copies as it is: the public scripts, and the comments of the page. */
export function minifyPublic(): Plugin {
  let folder = ''
  return {
    name: 'minify-public',
    apply: 'build',
    configResolved: (config) => {
      folder = resolve(config.root, config.build.outDir)
    },
    transformIndexHtml: (html) => html.replaceAll(/\s*<!--.*?-->/gs, ''),
    async writeBundle() {
      for (const script of scripts) {
        const file = join(folder, script)
        const { code, errors } = await minify(script, await readFile(file, 'utf8'))
        if (errors.length > 0) throw new Error(`${script}: ${errors[0]?.message}`)
        await writeFile(file, code)
      }
    }
  }
}
