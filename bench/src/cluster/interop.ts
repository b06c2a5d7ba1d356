/**
 * `npm run interop -- cluster [--quick] [--build-rmqtt] [WORD ...]`: tests two apis on Redis, a broker and HAProxy, with each
 * broker that is available here. Reports what is skipped because a program is missing. `--quick`: Redis is down for 12 s
 * instead of 60. A WORD is a broker, or selects steps by a part of their names.
 */
import { messageOf } from '@batti/kit/message-of'
import { brokers, type BrokerName } from './brokers.ts'
import {
  apisAway,
  connectedFrom,
  foreignTopics,
  kick,
  logOutAcross,
  presence,
  schedules,
  taps,
  wrongPassword
} from './daily-steps.ts'
import { killNode, killOne, redisAway, rollingStop, secondTerm } from './fault-steps.ts'
import { closeHouse, openHouse, type House } from './house.ts'
import { leasesAfterSetClock, renewedLeases } from './lease-steps.ts'
import { missingPrograms } from './programs.ts'

const awayMs = process.argv.includes('--quick') ? 12_000 : 60_000
const words = process.argv.slice(2).filter((arg) => !arg.startsWith('-'))
const only = words.filter((word) => !(word in brokers))
const isPicked = (name: BrokerName): boolean => words.length === only.length || words.includes(name)
let failed = 0
let passed = 0

async function step(name: string, work: () => Promise<string | void>): Promise<void> {
  if (only.length > 0 && !only.some((word) => name.includes(word))) return
  const start = performance.now()
  try {
    const said = await work()
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    passed += 1
    console.log(`  ok      ${name} (${seconds} s)${said === undefined ? '' : `: ${said}`}`)
  } catch (error) {
    failed += 1
    console.log(`  FAILED  ${name}: ${messageOf(error)}`)
  }
}

const passOver = (what: string): void => console.log(`  passed over: ${what}`)

/** Runs the everyday steps, which every broker must pass. */
async function everyDay(name: BrokerName, house: House): Promise<void> {
  const { asksHook } = brokers[name]
  await step(`${name}: taps at either are seen at both, once, one row each ($share)`, () => taps(house, 60))
  await step(`${name}: a board that goes is told once on every screen`, () => presence(house))
  await step(`${name}: a board hears and says nothing of another`, () => foreignTopics(house))
  await step(`${name}: a wrong password opens nothing`, () => wrongPassword(house))
  if (asksHook) {
    await step(`${name}: a deleted board loses its line and does not come back`, () => kick(house))
    await step(`${name}: boards are found by their address`, () => connectedFrom(house))
    await step(`${name}: nobody is let in while no api lives`, () => apisAway(house))
  } else passOver(`${name} ends no connections by itself: the kick is tried with a broker that asks the hook`)
  await step(`${name}: a log-out at one ends the socket at the other`, () => logOutAcross(house))
  await step(`${name}: each schedule fires once`, () => schedules(house))
}

async function faults(name: BrokerName, house: House): Promise<void> {
  await step(`${name}: Redis ended for ${awayMs / 1000} s, twice, under load`, () => redisAway(house, awayMs))
  await step(`${name}: kill -9 of one api under load`, () => killOne(house))
  await step(`${name}: a second SIGTERM ends an api that drains`, () => secondTerm(house))
  const lack = missingPrograms(['haproxy'])
  if (lack !== undefined) passOver(`the rolling stop: ${lack}`)
  else await step(`${name}: a rolling stop behind HAProxy`, () => rollingStop(house))
  if (brokers[name].nodes > 1)
    await step(`${name}: kill -9 of the leading node of three under load`, () => killNode(house))
}

/** Runs `work` in a house on this broker. */
async function within(
  name: BrokerName,
  what: string,
  env: Record<string, string>,
  work: (house: House) => Promise<void>
) {
  let house: House | undefined
  try {
    house = await openHouse(name, env)
    console.log(`  ok      ${name}: ${what}`)
    await work(house)
  } catch (error) {
    failed += 1
    console.log(`  FAILED  ${name}: ${what}: ${messageOf(error)}`)
  } finally {
    if (house !== undefined) await closeHouse(house)
  }
}

async function tryBroker(name: BrokerName, withFaults: boolean): Promise<void> {
  if (!isPicked(name)) return
  const lacks = brokers[name].lacks()
  if (lacks !== undefined) return passOver(`${name}: ${lacks}`)
  await within(name, 'two apis that start at once on an empty database both come up', {}, async (house) => {
    await everyDay(name, house)
    if (withFaults) await faults(name, house)
  })
  await within(name, 'the same without $share', { MQTT_SHARED_GROUP: '' }, (house) =>
    step(`${name}: taps at either are seen at both without $share`, () => taps(house, 24))
  )
}

const lack = missingPrograms(['redis-server'])
if (lack !== undefined) {
  passOver(lack)
  process.exit(3)
}
await step('a lease that was renewed is not taken', renewedLeases)
await step('a lease is not taken because the clock of Redis was set', leasesAfterSetClock)
await tryBroker('mosquitto', true)
await tryBroker('hivemq', false)
await tryBroker('rmqtt', true)
// If nothing ran, that is no success.
process.exit(failed > 0 ? 1 : passed > 0 ? 0 : 3)
