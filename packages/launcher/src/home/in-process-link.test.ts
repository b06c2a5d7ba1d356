import { downTopic, upTopic } from '@batti/contracts'
import { expect, test } from 'vitest'
import { createInProcessLink } from './in-process-link.ts'

const board = 'a'.repeat(24)

function setUp() {
  const said: string[] = []
  const heard: string[] = []
  let deliver: ((topic: string, payload: Buffer) => void) | null = null
  let passed = 0
  const home = createInProcessLink({ onPassed: () => void (passed += 1) })
  const broker = {
    join(filter: string, onMessage: (topic: string, payload: Buffer) => void) {
      said.push(`joins ${filter}`)
      deliver = onMessage
      return {
        publish: (topic: string, payload: string) => void said.push(`${topic} ${payload}`),
        leave: () => void (deliver = null)
      }
    }
  }
  const open = () =>
    home.openLink({
      onMessage: (_topic, payload) => void heard.push(payload.toString()),
      onPeer: () => undefined,
      onUp: () => void heard.push('up'),
      onDown: () => undefined,
      isShared: false
    })
  return {
    home,
    broker,
    open,
    said,
    heard,
    passed: () => passed,
    deliver: (text: string) => deliver?.(upTopic(board, 'status'), Buffer.from(text))
  }
}

test('a link that is opened before its broker is down until then', () => {
  const { home, broker, open, said, heard, deliver, passed } = setUp()
  const link = open()
  expect(link.isUp()).toBe(false)
  expect(link.publish(downTopic(board, 'ack'), '{}')).toBe(false)
  expect(passed()).toBe(0)
  home.brokerIsUp(broker)
  expect(link.isUp()).toBe(true)
  expect(link.publish(downTopic(board, 'ack'), '{}')).toBe(true)
  deliver('here')
  expect(heard).toEqual(['up', 'here'])
  expect(said).toEqual(['joins d/+/up/+', `${downTopic(board, 'ack')} {}`])
  expect(passed()).toBe(2)
})

test('a link to a running broker is up at once', () => {
  const { home, broker, open } = setUp()
  home.brokerIsUp(broker)
  expect(open().isUp()).toBe(true)
})

test('a link that was stopped sends and receives nothing, also when its broker starts later', async () => {
  const late = setUp()
  await late.open().stop()
  late.home.brokerIsUp(late.broker)
  expect(late.said).toEqual([])

  const stopped = setUp()
  stopped.home.brokerIsUp(stopped.broker)
  const link = stopped.open()
  await link.stop()
  expect(link.isUp()).toBe(false)
  expect(link.publish(downTopic(board, 'ack'), '{}')).toBe(false)
  stopped.deliver('too late')
  expect(stopped.heard).toEqual(['up'])
})
