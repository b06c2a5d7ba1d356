import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'

test('tests run in UTC, whatever the zone of the machine', () => {
  expect(Intl.DateTimeFormat().resolvedOptions().timeZone).toBe('UTC')
  expect(new Date(0).getHours()).toBe(0)
})

test('the pages of another test file, a thread of the same process, are tabs of another browser', async () => {
  const page = new BroadcastChannel('changes')
  const heard: unknown[] = []
  page.addEventListener('message', ({ data }) => heard.push(data))
  const others = `
    const { workerData } = require('node:worker_threads')
    for (const name of ['changes', workerData]) new BroadcastChannel(name).postMessage(name)
    setInterval(() => {}, 1000)`
  const thread = new Worker(others, { eval: true, workerData: page.name })
  onTestFinished(async () => {
    page.close()
    await thread.terminate()
  })
  await expect.poll(() => heard).toEqual([page.name])
})
