import { describe, expect, it } from 'vitest'
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

  it('marks what failed and passes the reason on', async () => {
    const { progress, written } = at(false)
    await expect(inStep(progress, 'Building', () => Promise.reject(new Error('why')))).rejects.toThrow('why')
    expect(written()).toBe('Building …\n✗ Building\n')
  })
})
