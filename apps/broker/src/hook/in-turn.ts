import { HookUnavailable } from './hook-client.ts'

/** Asks the address that answered last, and where it does not answer, the others: each api knows who may connect. */
export function createInTurn(addresses: readonly URL[]) {
  let first = 0

  return async function inTurn<Answer>(ask: (address: URL) => Promise<Answer>): Promise<Answer> {
    let failure: unknown = new HookUnavailable('no address is set')
    for (const address of [...addresses.slice(first), ...addresses.slice(0, first)]) {
      try {
        const answer = await ask(address)
        first = addresses.indexOf(address)
        return answer
      } catch (error) {
        failure = error
      }
    }
    throw failure
  }
}
