const kept = 20
/** What was said longer ago is not why it died now. */
const freshMs = 5000

/** What a part said last: why it died, if it could say. */
export interface LastWords {
  fromStderr(line: string): void
  fromStdout(line: string): void
  /** One line, or null when it died in silence. */
  latest(): string | null
  /** Everything that stands on stderr, the last lines of it. */
  stderr(): string
}

/** Node's notices are not why something died. */
const isNotice = (line: string): boolean =>
  /^\(node:\d+\)|^\(Use `node|^\s+at |^Node\.js v|^\s*$|^\s*\^+\s*$/.test(line)

interface Said {
  line: string
  at: number
}

/** @param now milliseconds since the epoch. */
export function createLastWords(now: () => number): LastWords {
  let errors: Said[] = []
  let logged: Said | null = null
  const isFresh = ({ at }: Said): boolean => now() - at <= freshMs
  return {
    fromStderr(line) {
      if (!isNotice(line)) errors = [...errors, { line, at: now() }].slice(-kept)
    },
    fromStdout(line) {
      const message = seriousMessage(line)
      if (message !== null) logged = { line: message, at: now() }
    },
    latest() {
      const fresh = errors.filter(isFresh).map(({ line }) => line)
      const inLog = logged !== null && isFresh(logged) ? logged.line : null
      return fresh.find((line) => /^\w*Error\b.*:/.test(line)) ?? fresh.at(-1) ?? inLog
    },
    stderr: () => errors.map(({ line }) => line).join('\n')
  }
}

const pinoErrorLevel = 50

/** The message of a log line that tells of an error, else null. */
function seriousMessage(line: string): string | null {
  if (!line.startsWith('{')) return null
  try {
    const entry: unknown = JSON.parse(line)
    if (typeof entry !== 'object' || entry === null || !('level' in entry) || !('msg' in entry)) return null
    if (typeof entry.level !== 'number' || entry.level < pinoErrorLevel || typeof entry.msg !== 'string') return null
    const cause = 'err' in entry && typeof entry.err === 'object' && entry.err !== null ? entry.err : {}
    return 'message' in cause && typeof cause.message === 'string' ? `${entry.msg}: ${cause.message}` : entry.msg
  } catch {
    return null
  }
}
