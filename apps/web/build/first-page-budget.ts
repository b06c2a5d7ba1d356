import { brotliCompressSync } from 'node:zlib'
import type { Plugin } from 'vite'

interface Chunk {
  fileName: string
  code: string
  isEntry: boolean
  facadeModuleId: string | null
  imports: readonly string[]
  moduleIds: readonly string[]
}

export interface BudgetOptions {
  /** Limit of JavaScript in kilobytes (1000 bytes), compressed with brotli. */
  limitKb: number
  /** Ends of module paths, one for each page that can be a visitor's first; missing ones are skipped. */
  firstPages: readonly string[]
  /** Ends of module paths that every first page loads as well. */
  always: readonly string[]
  /** JavaScript files that a page may load beyond the entry's: on a slow network each costs a round trip. */
  filesPerPage: number
}

/** Returns the file names of the chunk and of everything it imports statically. */
function withStaticImports(start: Chunk, chunks: ReadonlyMap<string, Chunk>): Set<string> {
  const found = new Set<string>()
  const visit = (fileName: string) => {
    const chunk = chunks.get(fileName)
    if (chunk === undefined || found.has(fileName)) return
    found.add(fileName)
    chunk.imports.forEach(visit)
  }
  visit(start.fileName)
  return found
}

/**
 * Reports how much JavaScript (brotli) each first page loads. Fails the build when that exceeds the limit, or when any
 * page needs too many files. A first page counts the entry, its own chunk, the chunks named `always`, and all their
 * static imports, each once.
 */
export function firstPageBudget({ limitKb, firstPages, always, filesPerPage }: BudgetOptions): Plugin {
  return {
    name: 'first-page-budget',
    apply: 'build',
    generateBundle(_, bundle) {
      const chunks = new Map<string, Chunk>()
      for (const item of Object.values(bundle)) if (item.type === 'chunk') chunks.set(item.fileName, item)
      const holding = (end: string) =>
        [...chunks.values()].filter((chunk) => chunk.moduleIds.some((id) => id.endsWith(end)))
      const sizeOf = (fileName: string) => brotliCompressSync(chunks.get(fileName)?.code ?? '').length
      const entries = [...chunks.values()].filter((chunk) => chunk.isEntry)

      for (const page of firstPages) {
        const own = holding(page)
        if (own.length === 0) continue
        const files = new Set(
          [...entries, ...own, ...always.flatMap(holding)].flatMap((chunk) => [...withStaticImports(chunk, chunks)])
        )
        const sizes = [...files].map((file) => ({ file, bytes: sizeOf(file) })).toSorted((a, b) => b.bytes - a.bytes)
        const totalKb = sizes.reduce((sum, { bytes }) => sum + bytes, 0) / 1000
        const list = sizes.map(({ file, bytes }) => `  ${(bytes / 1000).toFixed(1).padStart(6)} KB  ${file}`).join('\n')
        const line = `First page ${page}: ${totalKb.toFixed(1)} KB of JavaScript (brotli), limit ${limitKb} KB`
        if (totalKb > limitKb) this.error(`${line}\n${list}`)
        this.info(`${line}\n${list}`)
      }

      const known = new Set(entries.flatMap((chunk) => [...withStaticImports(chunk, chunks)]))
      for (const chunk of chunks.values()) {
        const [, page] = /\/(src\/routes\/.*)/.exec(chunk.facadeModuleId ?? '') ?? []
        if (page === undefined) continue
        const files = [...withStaticImports(chunk, chunks)].filter((file) => !known.has(file))
        if (files.length > filesPerPage)
          this.error(
            `${page} loads ${files.length} files of JavaScript, limit ${filesPerPage}: see build/first-chunks.ts\n  ${files.join('\n  ')}`
          )
      }
    }
  }
}
