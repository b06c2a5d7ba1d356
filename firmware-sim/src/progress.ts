import type { Board } from './board/board.ts'

/** Shows on one line of stderr how many boards are paired and online. Returns a function that stops it. */
export function showProgress(boards: readonly Board[]): () => void {
  const isTerminal = process.stderr.isTTY
  let last = ''
  const print = (): void => {
    const states = boards.map((board) => board.state())
    const paired = states.filter((state) => state.paired).length
    const online = states.filter((state) => state.phase === 'online').length
    const line = `boards ${boards.length} · paired ${paired} · online ${online}`
    if (line === last) return
    last = line
    process.stderr.write(isTerminal ? `\r${line}   ` : `${line}\n`)
  }
  const timer = setInterval(print, isTerminal ? 250 : 2000)
  return () => {
    clearInterval(timer)
    print()
    if (isTerminal) process.stderr.write('\n')
  }
}
