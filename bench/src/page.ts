/** `npm run bench -- page`: measures how soon /user/home is usable on a slow phone at the first visit. */
import { createClient } from '@batti/client/client'
import { login } from '@batti/contracts'
import { accountOf, startProduct } from '@batti/launcher/testing/start-product'
import { openBrowser, openContext } from '../../e2e/src/open-browser.ts'
import type { Report } from './figures/report.ts'
import { percentile } from './figures/statistics.ts'

/** 1.6 Mbit/s with a latency of 150 ms, and a quarter of this machine's CPU speed. */
const network = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
const cpuSlowdown = 4
const phone = { width: 390, height: 844 }
/** Content that arrives after the page is usable may still shift the layout or be the largest paint. */
const settleMs = 4000

const goals = { requests: 15, kilobytes: 200, lcpMs: 2500, cls: 0.05 }

interface Visit {
  requests: number
  kilobytes: number
  usableMs: number
  lcpMs: number
  cls: number
}
type SeenPage = typeof globalThis & { seen: { lcpMs: number; cls: number } }

export async function measurePage({ visits, say }: { visits: number; say(line: string): void }): Promise<Report> {
  const [product, browser] = await Promise.all([startProduct(), openBrowser()])
  try {
    const { email, password } = accountOf(product, 'user')
    const runs: Visit[] = []
    for (let visit = 0; visit < visits; visit += 1) {
      const session = await createClient({ base: product.web }).call(login, { body: { email, password } })
      const { accessToken, refreshToken, user } = session
      const localStorage = Object.entries({ accessToken, refreshToken, userInfo: JSON.stringify(user) }).map(
        ([name, value]) => ({ name, value })
      )
      const context = await openContext(browser, {
        viewport: phone,
        storageState: { cookies: [], origins: [{ origin: product.web, localStorage }] }
      })
      runs.push(await visitHome(context, product.web))
      await context.close()
      say(JSON.stringify(runs.at(-1)))
    }
    const median = (key: keyof Visit): number =>
      percentile(
        runs.map((run) => run[key]),
        0.5
      )
    const row = (what: string, unit: string, key: keyof Visit, atMost: number | null) => ({
      what,
      unit,
      ours: median(key),
      against: atMost,
      goal: atMost === null ? null : { ratio: 1, is: 'atMost' as const }
    })
    return {
      name: 'page',
      about: `/user/home of the demo home, cold, on a phone of 390 px: CPU 4x slower, 1.6 Mbit/s, 150 ms. Median of ${visits} visits.`,
      against: 'goal',
      rows: [
        row('requests until a switch can be pressed', '', 'requests', goals.requests),
        row('received until then', 'KB', 'kilobytes', goals.kilobytes),
        row('until then', 'ms', 'usableMs', null),
        row('largest contentful paint', 'ms', 'lcpMs', goals.lcpMs),
        row('layout shift', '', 'cls', goals.cls)
      ]
    }
  } finally {
    await browser.close()
    await product.stop()
  }
}

async function visitHome(context: Awaited<ReturnType<typeof openContext>>, web: string): Promise<Visit> {
  const page = await context.newPage()
  await page.addInitScript(() => {
    const seen = { lcpMs: 0, cls: 0 }
    ;(globalThis as SeenPage).seen = seen
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.lcpMs = entry.startTime
    }).observe({ type: 'largest-contentful-paint', buffered: true })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) seen.cls += entry.value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  const cdp = await context.newCDPSession(page)
  let requests = 0
  let bytes = 0
  cdp.on('Network.requestWillBeSent', ({ request }) => {
    if (request.url.startsWith('http')) requests += 1
  })
  cdp.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  await cdp.send('Network.enable')
  await cdp.send('Network.emulateNetworkConditions', network)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
  await page.goto(`${web}/user/home`, { waitUntil: 'commit' })
  await page.locator('main [role=switch]:not([aria-disabled])').first().waitFor()
  const usableMs = await page.evaluate(() => performance.now())
  const until = { requests, kilobytes: bytes / 1000, usableMs }
  await page.waitForTimeout(settleMs)
  const { lcpMs, cls } = await page.evaluate(() => (globalThis as SeenPage).seen)
  return { ...until, lcpMs, cls }
}
