import { isRecord, parseJson } from '@batti/kit/json'

const kept = 20
/** Older output is not the cause of a crash. */
const freshMs = 5000

/** Keeps the last output of a part, to explain its crash. */
export interface StderrTail {
  fromStderr(line: string): void
  fromStdout(line: string): void
  /** Returns the last error as one line; null when there was none shortly before the part began to end, by default now. */
  latest(endingAt?: number): string | null
  /** Returns the last lines of stderr. */
  stderr(): string
}

/** Matches warnings and stack lines of Node, which do not explain a crash. */
const isNotice = (line: string): boolean =>
  /^\(node:\d+\)|^\(Use `node|^\s+at |^Node\.js v|^\s*$|^\s*\^+\s*$/.test(line)

interface Said {
  line: string
  at: number
}

/** @param now milliseconds, monotonic. */
export function createStderrTail(now: () => number): StderrTail {
  let errors: Said[] = []
  let logged: Said | null = null
  return {
    fromStderr(line) {
      if (!isNotice(line)) errors = [...errors, { line, at: now() }].slice(-kept)
    },
    fromStdout(line) {
      const message = seriousMessage(line)
      if (message !== null) logged = { line: message, at: now() }
    },
    latest(endingAt = now()) {
      const isFresh = ({ at }: Said): boolean => endingAt - at <= freshMs
      const fresh = errors.filter(isFresh).map(({ line }) => line)
      const inLog = logged !== null && isFresh(logged) ? logged.line : null
      return fresh.find((line) => /^\w*Error\b.*:/.test(line)) ?? fresh.at(-1) ?? inLog
    },
    stderr: () => errors.map(({ line }) => line).join('\n')
  }
}

const pinoErrorLevel = 50

/** Returns the message of an error in a log line; null for any other line. */
function seriousMessage(line: string): string | null {
  const entry = line.startsWith('{') ? parseJson(line) : undefined
  if (!isRecord(entry)) return null
  const { level, msg, err } = entry
  if (typeof level !== 'number' || level < pinoErrorLevel || typeof msg !== 'string') return null
  return isRecord(err) && typeof err['message'] === 'string' ? `${msg}: ${err['message']}` : msg
}
