import type { Server } from 'node:http'
import { close, listen } from '@batti/kit/node/listen'
import { expect, test } from 'vitest'
import { startApi } from '../../testing/test-api.ts'
import { createMetricsServer } from './metrics-server.ts'

async function figures(server: Server): Promise<(path: string) => Promise<{ status: number; text: string }>> {
  const port = await listen(server)
  return async (path) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`)
    return { status: answer.status, text: await answer.text() }
  }
}

test('metrics are on a server of their own, and nowhere else', async () => {
  const app = await startApi()
  const server = createMetricsServer(app.platform.metrics)
  try {
    const owner = app.person()
    await app.device(owner)
    await app.settled()
    for (const accept of ['text/html', '*/*'])
      expect((await app.http.get('/metrics').set('accept', accept)).status).toBe(404)
    const read = await figures(server)
    const { status, text } = await read('/metrics')
    expect(status).toBe(200)
    for (const line of [
      /^batti_build_info\{version="\d+\.\d+\.\d+",node="v24\.[\d.]+"\} 1$/m,
      /^batti_broker_link_up 1$/m,
      /^batti_cluster_devices_online 1$/m,
      /^batti_broker_certificate_expires_at_seconds \S+$/m,
      /^batti_database_seconds_count [1-9]\d*$/m,
      /^batti_schedule_lag_seconds_count 0$/m,
      /^batti_broker_hook_seconds_count \d+$/m
    ])
      expect(text).toMatch(line)
    // A hundred thousand boards are not counted for each request.
    await app.models.devices.updateMany({}, { $set: { isOnline: false } })
    expect((await read('/metrics')).text).toMatch(/^batti_cluster_devices_online 1$/m)
    app.clock.advance(60_000)
    expect((await read('/metrics')).text).toMatch(/^batti_cluster_devices_online 0$/m)
    expect((await read('/')).status).toBe(404)
  } finally {
    await close(server)
    await app.stop()
  }
})

test('requests of load balancers are not counted among those of users', async () => {
  const app = await startApi()
  const server = createMetricsServer(app.platform.metrics)
  try {
    const read = await figures(server)
    for (const path of ['/healthz', '/readyz', '/api/v1/nowhere']) await app.http.get(path)
    const { text } = await read('/metrics')
    expect(text.match(/^batti_http_request_seconds_count\{.*$/gm)).toEqual([
      'batti_http_request_seconds_count{method="GET",route="other",status="404"} 1'
    ])
  } finally {
    await close(server)
    await app.stop()
  }
})
