/**
 * `npm run screenshots [-- NAME ...]`: every main screen of the demo home, on phone and desktop, light and dark, saved
 * to docs/screenshots/NAME-WIDTH-THEME.png.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { openBrowser, openContext } from './open-browser.ts'
import { logInOn } from './pages.ts'
import { startProduct, type Product } from '@batti/launcher/testing/start-product'
import { screens, type Screen } from './screens-to-show.ts'

const folder = join(import.meta.dirname, '../../docs/screenshots')
const sizes = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 }
]
const themes = ['light', 'dark'] as const

const wanted = process.argv.slice(2)
const unknown = wanted.find((name) => !screens.some((screen) => screen.name === name))
if (unknown !== undefined) {
  console.error(`There is no screen ${unknown}. There are: ${screens.map(({ name }) => name).join(', ')}.`)
  process.exit(1)
}
await mkdir(folder, { recursive: true })
// A board counts as updated after 1 s, so that a picture of a rollout need not wait.
const env = { FIRMWARE_PROVE_S: '1' }
const [product, browser] = await Promise.all([startProduct({ env }), openBrowser()])
let missed = 0
try {
  for (const viewport of sizes) for (const colorScheme of themes) await shootAll({ viewport, colorScheme })
} finally {
  await browser.close()
  await product.stop()
}
if (missed > 0) {
  console.error(`${missed} pictures could not be taken.`)
  process.exitCode = 1
}

interface Look {
  viewport: { width: number; height: number }
  colorScheme: (typeof themes)[number]
}

async function shootAll(look: Look): Promise<void> {
  for (const role of [null, 'user', 'admin', 'monitor'] as const) {
    const chosen = screens.filter(
      (screen) => screen.role === role && (wanted.length === 0 || wanted.includes(screen.name))
    )
    if (chosen.length === 0) continue
    const page = await openPage(browser, product, role, look)
    for (const screen of chosen) await shoot(page, screen, look)
    await page.context().close()
  }
}

async function openPage(from: Browser, { web, accounts }: Product, role: string | null, look: Look): Promise<Page> {
  const context = await openContext(from, {
    ...look,
    timezoneId: 'Asia/Kathmandu',
    reducedMotion: 'reduce'
  })
  const page = await context.newPage()
  const account = accounts.find((one) => one.role === role)
  if (account !== undefined) await logInOn(page, web, account)
  return page
}

async function shoot(page: Page, { name, show }: Screen, { viewport, colorScheme }: Look): Promise<void> {
  const file = `${name}-${viewport.width}-${colorScheme}.png`
  try {
    await show(page, product)
    await page.evaluate(() => document.fonts.ready.then(() => null))
    await page.screenshot({ path: join(folder, file), animations: 'disabled', scale: 'css' })
    console.log(file)
  } catch (error) {
    missed += 1
    console.error(`${file}: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}`)
  }
}
