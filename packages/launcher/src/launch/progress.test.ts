import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createProgress, inStep } from './progress.ts'

function at(isTTY: boolean) {
  let now = 0
  let written = ''
  const progress = createProgress({
    terminal: { isTTY, write: (text) => void (written += text) },
    clock: { now: () => 0, monotonic: () => now }
  })
  return { progress, written: () => written, pass: (ms: number) => void (now += ms) }
}

describe('progress', () => {
  it('is plain lines in a file', async () => {
    const { progress, written, pass } = at(false)
    await inStep(progress, 'Pairing boards', async (step) => {
      step.at('1/4')
      pass(1500)
    })
    expect(written()).toBe('Pairing boards …\n  Pairing boards 1/4\n✓ Pairing boards (1.5 s)\n')
  })

  it('is one changing line on a terminal, with other messages above it', () => {
    const { progress, written } = at(true)
    const step = progress.step('Starting')
    progress.say('The broker died.')
    step.done()
    const visible = written()
      .split('\n')
      .map((line) => line.split('\u001b[2K').at(-1))
    expect(visible).toEqual(['The broker died.', '✓ Starting (0.0 s)', ''])
  })

  it('is a line on a terminal that moves ten times a second until its step ends', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { progress, written, pass } = at(true)
    const lines = () => written().split('\r\u001b[2K')
    pass(60_000)
    const step = progress.step('Pairing boards')
    expect(lines()).toEqual(['', '⠙ Pairing boards'])
    vi.advanceTimersByTime(100)
    expect(lines().at(-1)).toBe('⠹ Pairing boards')
    step.at('2/4')
    expect(lines().at(-1)).toBe('⠸ Pairing boards 2/4')
    vi.advanceTimersByTime(1000)
    expect(lines().at(-1)).toBe('⠸ Pairing boards 2/4')
    progress.say('A board is slow.')
    expect(lines().slice(-2)).toEqual(['A board is slow.\n', '⠼ Pairing boards 2/4'])
    pass(2500)
    step.done('4/4')
    vi.advanceTimersByTime(1000)
    expect(lines().at(-1)).toBe('✓ Pairing boards 4/4 (2.5 s)\n')
    progress.step('Opening')
    expect(lines().at(-1)).toBe('⠴ Opening')
    vi.advanceTimersByTime(100)
    expect(lines().at(-1)).toBe('⠦ Opening')
  })

  it('puts other messages between the lines of a file', () => {
    const { progress, written } = at(false)
    progress.step('Building')
    progress.say('A note.')
    expect(written()).toBe('Building …\nA note.\n')
  })

  it('says nothing more of a step that has ended', () => {
    const { progress, written } = at(false)
    const step = progress.step('Building')
    step.done()
    step.at('late')
    progress.say('Ready.')
    expect(written()).toBe('Building …\n✓ Building (0.0 s)\nReady.\n')
  })

  it('leaves the lines above it in place while no step runs', () => {
    const { progress, written } = at(true)
    progress.say('One.')
    progress.say('Two.')
    expect(written()).toBe('One.\nTwo.\n')
  })

  it('marks what failed and passes the reason on', async () => {
    const { progress, written } = at(false)
    await expect(inStep(progress, 'Building', () => Promise.reject(new Error('why')))).rejects.toThrow('why')
    expect(written()).toBe('Building …\n✗ Building\n')
  })
})
