import { patientMs } from './deadline.ts'

/** Asks again and again until there is an answer that is not null, undefined or false. */
export async function until<Found>(
  what: string,
  probe: () => Promise<Found | null | undefined | false>,
  withinMs = patientMs
): Promise<Found> {
  const deadline = Date.now() + withinMs
  for (;;) {
    const found = await probe()
    if (found !== null && found !== undefined && found !== false) return found
    if (Date.now() > deadline) throw new Error(`${what}: not within ${withinMs / 1000} s`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Whether the api at that address answers, and says that it is ready. */
export const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false
  )
