/** Lets a few at a time through; the others wait in order. */
export type Gate = {
  /** Resolves with the way out, which must be taken exactly once. */
  enter(): Promise<() => void>
}

export function createGate(limit: number): Gate {
  let inside = 0
  const waiting: (() => void)[] = []
  const leave = (): void => {
    const next = waiting.shift()
    if (next === undefined) inside -= 1
    else next()
  }
  return {
    enter: () =>
      new Promise((resolve) => {
        const pass = (): void => {
          let left = false
          resolve(() => {
            if (!left) leave()
            left = true
          })
        }
        if (inside >= limit) waiting.push(pass)
        else {
          inside += 1
          pass()
        }
      })
  }
}
