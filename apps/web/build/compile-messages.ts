import { parse } from '@formatjs/icu-messageformat-parser'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import { z } from 'zod'

const catalogue = /\/src\/i18n\/(en|ne)\/[\w-]+\.ts$/

const catalogueModule = z.object({ messages: z.record(z.string(), z.string()) })

/**
 * Parses the ICU texts at build time and leaves the parser (a twentieth of the first page's code) out of the bundle.
 * In development and in tests the texts stay as they are written and react-intl parses them itself.
 */
export function compileMessages(): Plugin {
  return {
    name: 'compile-messages',
    apply: 'build',
    enforce: 'pre',
    config: () => ({
      resolve: {
        alias: [
          {
            find: /^@formatjs\/icu-messageformat-parser$/,
            replacement: '@formatjs/icu-messageformat-parser/no-parser.js'
          }
        ]
      }
    }),
    async load(id) {
      if (!catalogue.test(id)) return null
      this.addWatchFile(id)
      const { messages } = catalogueModule.parse(await import(pathToFileURL(id).href))
      const compiled = Object.fromEntries(Object.entries(messages).map(([key, text]) => [key, parse(text)]))
      return `export const messages = ${JSON.stringify(compiled)}`
    }
  }
}
