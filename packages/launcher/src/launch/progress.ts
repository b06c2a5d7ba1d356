import type { Clock } from '@batti/kit/clock'

export interface Terminal {
  write(text: string): void
  isTTY: boolean
}

export interface Step {
  /** Shows the present detail of the step, for example `2/4`. */
  at(detail: string): void
  done(detail?: string): void
  failed(): void
}

export interface Progress {
  step(title: string): Step
  /** Prints one line for the user, at any time. */
  say(line: string): void
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const frameMs = 100

/** Shows the progress of a start: an animated line on a terminal, plain lines in a file or pipe. */
export function createProgress({ terminal, clock }: { terminal: Terminal; clock: Clock }): Progress {
  const { isTTY } = terminal
  let current: { title: string; detail: string } | null = null
  let frame = 0

  const clear = (): void => terminal.write('\r\u001b[2K')
  const draw = (): void => {
    if (current === null) return
    frame = (frame + 1) % frames.length
    clear()
    terminal.write(`${frames[frame] ?? ''} ${current.title}${current.detail === '' ? '' : ` ${current.detail}`}`)
  }

  function line(text: string): void {
    if (isTTY && current !== null) clear()
    terminal.write(`${text}\n`)
    if (isTTY) draw()
  }

  return {
    say: line,
    step(title) {
      const startedAt = clock.monotonic()
      current = { title, detail: '' }
      const timer = isTTY ? setInterval(draw, frameMs) : null
      timer?.unref()
      if (isTTY) draw()
      else terminal.write(`${title} …\n`)

      const end = (text: string): void => {
        if (timer !== null) clearInterval(timer)
        if (isTTY) clear()
        current = null
        terminal.write(`${text}\n`)
      }
      return {
        at(detail) {
          if (current === null) return
          current.detail = detail
          if (isTTY) draw()
          else terminal.write(`  ${title} ${detail}\n`)
        },
        done: (detail) =>
          end(`✓ ${title}${detail === undefined ? '' : ` ${detail}`} (${seconds(clock.monotonic() - startedAt)})`),
        failed: () => end(`✗ ${title}`)
      }
    }
  }
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

/** Runs `work` as a step, which is done when it resolves and failed when it rejects. */
export async function inStep<Result>(
  progress: Progress,
  title: string,
  work: (step: Step) => Promise<Result>
): Promise<Result> {
  const step = progress.step(title)
  try {
    const result = await work(step)
    step.done()
    return result
  } catch (error) {
    step.failed()
    throw error
  }
}
