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
  it('is the first error of several, and before it no line that only ends like one', () => {
    const lines = ['a warning, no Error: nothing', 'Error: the cause', 'RangeError: what followed', 'the last line']
    expect(after(lines).latest()).toBe('Error: the cause')
  })
  it('is the last serious line of its log, whatever comes after it', () => {
    const log = [
      '{"level":50,"msg":"the first"}',
      '{"level":50,"msg":"the second","err":{"code":1}}',
      '{"level":40,"msg":"a warning"}',
      '{"level":"60","msg":"a level that is no number"}',
      '{"level":60,"msg":7}',
      '["level",60]',
      'level 60'
    ]
    expect(after([], log).latest()).toBe('the second')
  })
  it('is on stderr rather than in its log', () => {
    expect(after(['port taken'], ['{"level":60,"msg":"stopped"}']).latest()).toBe('port taken')
  })
  it('is kept among the last twenty lines that explain something', () => {
    const lines = Array.from({ length: 21 }, (_, index) => `line ${index}`)
    const notices = [
      '',
      '  ^^',
      '    at f (x.ts:1:1)',
      '(Use `node --trace-warnings` to show where)',
      '(node:1) Warning'
    ]
    expect(after([...lines, ...notices]).stderr()).toBe(lines.slice(1).join('\n'))
  })
  it('is fresh for five seconds', () => {
    let now = 0
    const words = after(['port taken'], ['{"level":60,"msg":"stopped"}'], () => now)
    now = 5000
    expect(words.latest()).toBe('port taken')
    now = 5001
    expect(words.latest()).toBeNull()
  })
  it('is what the part wrote when it began to end, however long it hung then', () => {
    let now = 0
    const words = after(['port taken'], [], () => now)
    now = 60_000
    expect(words.latest(5000)).toBe('port taken')
    expect(words.latest(5001)).toBeNull()
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
