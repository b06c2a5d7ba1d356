import { systemClock } from '@batti/kit/clock'
import { same } from './house.ts'
import { withTwoInstances } from './two-instances.ts'

const rounds = 1000

/** One instance renews a board's lease that has expired, while the other takes expired ones. */
export const renewedLeases = (): Promise<string> =>
  withTwoInstances(async (one, other) => {
    let isOver = false
    let taken = 0
    const taking = (async () => {
      while (!isOver) taken += (await other.leases.takeExpired()).length
    })()
    let lost = 0
    for (let round = 0; round < rounds; round += 1) {
      await one.leases.keep(['board'], -1)
      await one.leases.keep(['board'], 60_000)
      lost += (await one.leases.missing(['board'])).length
    }
    isOver = true
    await taking
    same('renewed leases that are gone', lost, 0)
    return `${taken} of ${rounds} were taken in time`
  })

/** By what the instances see, the clock of Redis is set forward by five minutes. */
export async function leasesAfterSetClock(): Promise<void> {
  let setByMs = 0
  const clock = { monotonic: () => systemClock.monotonic() - setByMs }
  await withTwoInstances(async (one, other) => {
    await other.leases.takeExpired()
    await one.leases.keep(['board'], -1)
    setByMs = 300_000
    for (const instance of [other, one]) same('taken', await instance.leases.takeExpired(), [])
    same('without a lease', await one.leases.missing(['board']), [])
    await one.leases.keep(['board'], -1)
    same('taken in its time', await other.leases.takeExpired(), ['board'])
  }, clock)
}
