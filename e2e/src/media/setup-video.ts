/// <reference lib="dom" />
import type { Browser, Page } from 'playwright-core'
import { openContext } from '../open-browser.ts'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { logInOn } from '../pages.ts'
import { accountOf, type Product } from '@batti/launcher/testing/start-product'
import { createWall } from '../wall.ts'
import { startScreencast } from './screencast.ts'
import { webVtt, type Subtitle } from './subtitles.ts'

/** The time to read a line. */
const readingMs = 2200

/** Captions: English in the picture, Nepali as subtitles. */
const lines = {
  power: ['1  Give the board power: it waits for ten minutes', '१  बोर्डमा बिजुली दिनुहोस्: यो दस मिनेट पर्खन्छ'],
  wifi: ['2  Join the board’s Wi-Fi, then tell it yours', '२  बोर्डको वाइफाइमा जोडिनुहोस्, अनि घरको वाइफाइ बताउनुहोस्'],
  online: ['3  Watch it come online', '३  बोर्ड अनलाइन हुन दिनुहोस्'],
  lamp: ['4  Tap the lamp', '४  बत्तीमा थिच्नुहोस्']
} as const

/** Shows a caption over the page, as the video has no sound. */
async function caption(page: Page, text: string) {
  await page.evaluate((words) => {
    const id = 'video-caption'
    const bar = document.getElementById(id) ?? document.body.appendChild(document.createElement('div'))
    bar.id = id
    bar.textContent = words
    bar.style.cssText =
      'position:fixed;left:50%;bottom:20px;translate:-50%;z-index:99;padding:10px 22px;border-radius:99px;background:#14161f;color:#fff;font:600 19px/1.4 Inter Variable,sans-serif;white-space:nowrap;box-shadow:0 8px 32px #0006;pointer-events:none'
  }, text)
}
const read = (page: Page, ms = readingMs) => page.waitForTimeout(ms)

/** Records the setup of a new board, as a person does it, and the first press of its lamp. */
export async function recordSetupVideo(browser: Browser, product: Product, folder: string): Promise<void> {
  const owner = accountOf(product, 'user')
  const wall = createWall(product.wall)
  const { mac } = await wall.add('BT4', 'Hall')
  const { setupUrl } = await wall.when(mac, 'in setup mode', (board) => board.setupUrl !== null)
  const context = await openContext(browser, {
    viewport: { width: 1120, height: 630 },
    colorScheme: 'light'
  })
  const page = await context.newPage()
  await logInOn(page, product.web, owner)
  await page.goto(`${product.web}/user/devices`)
  await page.getByRole('heading', { level: 2 }).first().waitFor()

  const cast = await startScreencast(page)
  const subtitles: Subtitle[] = []
  const say = async (line: keyof typeof lines) => {
    const [english, nepali] = lines[line]
    await caption(page, english)
    subtitles.push({ fromS: cast.nowS(), text: nepali })
  }
  await say('power')
  await read(page)
  await page.goto(`${product.web}/user/devices/new?board=${new URL(setupUrl ?? '').host}`)
  await page.getByLabel('Wi-Fi name (SSID)').waitFor()
  await say('wifi')
  await page.getByLabel('Wi-Fi name (SSID)').pressSequentially('Sharma home', { delay: 70 })
  await page.getByLabel('Wi-Fi password', { exact: true }).pressSequentially('a quiet evening', { delay: 60 })
  await read(page, 900)
  const opened = context.waitForEvent('page')
  await page.getByRole('button', { name: 'Send to the board' }).click()
  const boardPage = await opened
  await boardPage.waitForLoadState()
  await boardPage.close()
  await page.bringToFront()
  await say('online')
  await page.getByText('Your board is online').waitFor()
  await page.getByText('Your board is online').scrollIntoViewIfNeeded()
  await read(page)
  await page.getByRole('link', { name: 'Open My Devices' }).click()
  await page.getByRole('heading', { level: 2 }).first().waitFor()
  const heading = page.getByRole('heading', { level: 2, name: /batti-wall-4|Hall|4/ }).last()
  await heading.getByRole('button').click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await say('lamp')
  await read(page, 1200)
  const toggles = dialog.getByRole('switch')
  for (const index of [0, 1, 2]) {
    await toggles.nth(index).click()
    await read(page, 1000)
  }
  await read(page, 800)
  const endS = await cast.save(join(folder, 'setup.webm'), join(folder, 'setup.jpg'), 1)
  await writeFile(join(folder, 'setup.ne.vtt'), webVtt(subtitles, endS))
  await context.close()
}
