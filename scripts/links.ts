import { posix } from 'node:path'

export interface Sources {
  /** Paths from the root, with `/`. */
  has(path: string): boolean
  /** The text of a page, for its headings. */
  read(path: string): string
}

/** Papers that lie beside the repository: whoever reads a comment cannot open them. */
const papers =
  /\b(?:operations|accounts|wire|contract-decisions|decisions|threats(?:-and-faults)?|specification|spec|issue)(?:\.md)?`? ?(?:§|#|row )|\b[Ff]ault F\d|\b(?:accounts|wire|contract-decisions|threats-and-faults|staff-details|growth-details)\.md\b/

/** What is wrong with the links of a page, or with what a source file's comments refer to; one sentence each. */
export function linkFaults(path: string, text: string, sources: Sources): string[] {
  const faults = path.endsWith('.md') ? pageFaults(path, text, sources) : commentFaults(text, sources)
  return [...faults, ...linesWith(papers, text).map((found) => `cites a paper that is not here: ${found}`)]
}

function pageFaults(path: string, text: string, sources: Sources): string[] {
  const plain = text.replaceAll(/```[^]*?```|`[^`\n]*`/g, (code) => code.replaceAll(/[[\]()]/g, ' '))
  return [...plain.matchAll(/\]\(([^()\s]+)\)/g)].flatMap(([, link = '']) => {
    if (/^[a-z]+:/i.test(link)) return []
    const [file = '', anchor] = link.split('#')
    const target = file === '' ? path : posix.normalize(posix.join(posix.dirname(path), file)).replace(/\/$/, '')
    if (!sources.has(target)) return [`leads nowhere: ${link}`]
    const isThere = anchor === undefined || headingsOf(sources.read(target)).has(anchor)
    return isThere ? [] : [`has no such heading: ${link}`]
  })
}

/** `docs/protocol.md` in a comment, with the heading that follows it in quotes: `docs/protocol.md, "Limits"`. */
function commentFaults(text: string, sources: Sources): string[] {
  return [...text.matchAll(/(?<![\w./])docs\/[\w./-]+\.(?:md|json)(?:, "([^"\n]+)")?/g)].flatMap(([found, heading]) => {
    const [path = ''] = found.split(',')
    // A file that this very line makes, such as a generator's, is there too once it was made.
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

/** A heading's anchor, as GitHub makes it. */
const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
