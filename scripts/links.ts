import { posix } from 'node:path'

export interface Sources {
  /** Paths from the root, with `/`. */
  has(path: string): boolean
  /** Whether a file, or with a slash at its end a folder, has a path that ends like this. */
  hasSome(path: string): boolean
  /** Returns the text of a page, for its headings. */
  read(path: string): string
}

/** References to papers outside of the repository, which readers of a comment cannot open. */
const papers =
  /\b(?:operations|accounts|wire|contract-decisions|decisions|threats(?:-and-faults)?|specification|spec|issue)(?:\.md)?`? ?(?:§|#|row )|\b[Ff]ault F\d|\b(?:accounts|wire|contract-decisions|threats-and-faults|staff-details|growth-details)\.md\b/

/** Finds faults in the links of a page, or in the references of a source file's comments; one sentence each. */
export function linkFaults(path: string, text: string, sources: Sources): string[] {
  const faults = path.endsWith('.md') ? pageFaults(path, text, sources) : commentFaults(text, sources)
  return [...faults, ...linesWith(papers, text).map((found) => `cites a paper that is not here: ${found}`)]
}

function pageFaults(path: string, text: string, sources: Sources): string[] {
  const plain = text.replaceAll(/```[^]*?```|`[^`\n]*`/g, (code) => code.replaceAll(/[[\]()]/g, ' '))
  const links = [...plain.matchAll(/\]\(([^()\s]+)\)/g)].flatMap(([, link = '']) => {
    if (/^[a-z]+:/i.test(link)) return []
    const [file = '', anchor] = link.split('#')
    const target = file === '' ? path : posix.normalize(posix.join(posix.dirname(path), file)).replace(/\/$/, '')
    if (!sources.has(target)) return [`leads nowhere: ${link}`]
    const isThere = anchor === undefined || headingsOf(sources.read(target)).has(anchor)
    return isThere ? [] : [`has no such heading: ${link}`]
  })
  return isOfThePast(path) ? links : [...links, ...codeFaults(text, sources)]
}

/** Pages that describe what was there when they were written. */
const isOfThePast = (path: string): boolean => path.startsWith('docs/adr/') || path === 'CHANGELOG.md'

/** Files and folders of the code that a page names, such as `boards/commands/` or `main.ts`. */
const named = /`((?:\w[\w.-]*\/)*\w[\w.-]*\.(?:tsx?|cjs|mjs|toml|ya?ml|sh|css)|(?:\w[\w.-]*\/)+)`/g

function codeFaults(text: string, sources: Sources): string[] {
  return [...text.replaceAll(/```[^]*?```/g, '').matchAll(named)].flatMap(([, path = '']) =>
    sources.hasSome(path) ? [] : [`names what is not here: ${path}`]
  )
}

/** Checks references in comments, such as `docs/protocol.md`, with an optional heading: `docs/protocol.md, "Limits"`. */
function commentFaults(text: string, sources: Sources): string[] {
  return [...text.matchAll(/(?<![\w./])docs\/[\w./-]+\.(?:md|json)(?:, "([^"\n]+)")?/g)].flatMap(([found, heading]) => {
    const [path = ''] = found.split(',')
    // A file that a generator writes exists, too, once it was generated.
    if (!sources.has(path)) return [`refers to what is not here: ${found}`]
    const isThere = heading === undefined || headingsOf(sources.read(path)).has(anchorOf(heading))
    return isThere ? [] : [`refers to a heading that is not there: ${found}`]
  })
}

const linesWith = (pattern: RegExp, text: string): string[] =>
  text
    .split('\n')
    .filter((line) => pattern.test(line))
    .map((line) => line.trim().slice(0, 100))

const headingsOf = (text: string): Set<string> =>
  new Set([...text.matchAll(/^#+ +(.+)$/gm)].map(([, heading = '']) => anchorOf(heading)))

/** Returns the anchor of a heading like GitHub. */
const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
