import type { Plugin } from 'vite'

interface Chunk {
  type: 'chunk'
  fileName: string
  name: string
  imports: readonly string[]
  isEntry: boolean
}

/**
 * Lists the files of a signed-in user's home in the page, and those of its side bar. `public/theme.js` requests them at
 * once, so that they load in parallel with the entry and not one after the other.
 */
export function listFirstFiles(): Plugin {
  return {
    name: 'list-first-files',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const chunks = new Map<string, Chunk>()
        for (const file of Object.values(bundle)) if (file.type === 'chunk') chunks.set(file.fileName, file)
        const named = (name: string): Chunk[] => [...chunks.values()].filter((chunk) => chunk.name === name)
        // The page already loads the entry's own files.
        const known = new Set<string>()
        const withImports = (chunk: Chunk | undefined): string[] => {
          if (chunk === undefined || known.has(chunk.fileName)) return []
          known.add(chunk.fileName)
          return [`/${chunk.fileName}`, ...chunk.imports.flatMap((file) => withImports(chunks.get(file)))]
        }
        for (const chunk of chunks.values()) if (chunk.isEntry) withImports(chunk)
        const filesOf = (...names: string[]): string => names.flatMap(named).flatMap(withImports).join(' ')
        const attrs = {
          name: 'batti-first-files',
          content: filesOf('first-home'),
          'data-wide': filesOf('menus'),
          'data-en': filesOf('texts-en', 'texts-home-en'),
          'data-ne': filesOf('texts-ne', 'texts-home-ne')
        }
        return [{ tag: 'meta', attrs, injectTo: 'head' }]
      }
    }
  }
}
