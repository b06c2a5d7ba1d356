import { describe, expect, it } from 'vitest'
import { createStderrTail } from './stderr-tail.ts'

function after(stderr: string[], stdout: string[] = [], now: () => number = () => 0) {
  const words = createStderrTail(now)
  for (const line of stderr) words.fromStderr(line)
  for (const line of stdout) words.fromStdout(line)
  return words
}

describe('the reason why a part ended', () => {
  it('is its last line on stderr', () => {
    expect(after(['first', 'broker: another process has the port']).latest()).toBe(
      'broker: another process has the port'
    )
  })
  it('is the error, not the stack frames and notices around it', () => {
    const lines = [
      'file:///batti/apps/api/src/main.ts:12',
      '    throw new Error()',
      '          ^',
      '',
      'TypeError: Cannot read properties of undefined',
      '    at main (file:///batti/apps/api/src/main.ts:12:9)',
      '',
      'Node.js v24.21.0',
      '(node:12) ExperimentalWarning: SQLite is an experimental feature'
    ]
    expect(after(lines).latest()).toBe('TypeError: Cannot read properties of undefined')
  })
  it('is the last error in its log when stderr is silent', () => {
    const log = [
      '{"level":30,"msg":"up"}',
      '{"level":60,"msg":"an exception was not caught","err":{"message":"boom"}}',
      '{not json'
    ]
    expect(after([], log).latest()).toBe('an exception was not caught: boom')
  })
  it('is not an old message', () => {
    let now = 0
    const words = after(['TypeError: an answer of an hour ago'], ['{"level":50,"msg":"and a log line"}'], () => now)
    now = 3_600_000
    expect(words.latest()).toBeNull()
    words.fromStderr('killed for its memory')
    expect(words.latest()).toBe('killed for its memory')
    expect(words.stderr()).toBe('TypeError: an answer of an hour ago\nkilled for its memory')
  })
  it('may be unknown', () => {
    expect(after([], ['{"level":30,"msg":"up"}']).latest()).toBeNull()
  })
})
