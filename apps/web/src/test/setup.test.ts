import { BroadcastChannel as OtherChannel } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'

test('tests run in UTC, whatever the zone of the machine', () => {
  expect(Intl.DateTimeFormat().resolvedOptions().timeZone).toBe('UTC')
  expect(new Date(0).getHours()).toBe(0)
})

test('the pages of another test file of the same process are tabs of another browser', async () => {
  const page = new BroadcastChannel('changes')
  const heard: unknown[] = []
  page.addEventListener('message', ({ data }) => heard.push(data))
  onTestFinished(() => page.close())
  for (const name of ['changes', page.name]) {
    const other = new OtherChannel(name)
    onTestFinished(() => other.close())
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel, not a window
    other.postMessage(name)
  }
  await expect.poll(() => heard).toEqual([page.name])
})
