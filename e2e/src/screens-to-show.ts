import type { Page } from 'playwright-core'
import { openSwitches } from './pages.ts'
import type { Product } from '@batti/launcher/testing/start-product'
import { createWall } from './wall.ts'

/** A screen worth a picture: who sees it, and how to get there. */
export interface Screen {
  name: string
  /** Null: nobody is logged in. */
  role: 'user' | 'admin' | 'monitor' | null
  show(page: Page, product: Product): Promise<unknown>
}

/** A page by its address, waited for by the heading that a screen reader would read first. */
const at =
  (path: string): Screen['show'] =>
  async (page, { web }) => {
    await page.goto(`${web}${path}`)
    await page.getByRole('heading').first().waitFor()
    await page.waitForLoadState('networkidle')
  }

export const screens: readonly Screen[] = [
  { name: 'login', role: null, show: at('/user/login') },
  { name: 'register', role: null, show: at('/user/register') },
  {
    name: 'outbox',
    role: null,
    async show(page, { outbox }) {
      await page.goto(outbox)
      await page.getByRole('heading').first().waitFor()
    }
  },
  {
    name: 'wall',
    role: null,
    async show(page, { wall }) {
      await page.goto(wall)
      await page.getByText('Living room wall').first().waitFor()
    }
  },
  {
    name: 'devices',
    role: 'user',
    async show(page, { web }) {
      await page.goto(`${web}/user/devices`)
      await page.getByText('Online', { exact: true }).nth(3).waitFor()
    }
  },
  {
    name: 'switch-dialog',
    role: 'user',
    async show(page, { web }) {
      const dialog = await openSwitches(page, web, 'Bedroom wall')
      await dialog.getByText('Online', { exact: true }).waitFor()
    }
  },
  {
    name: 'pairing',
    role: 'user',
    async show(page, { web, wall }) {
      const hand = createWall(wall)
      const there = (await hand.list()).find(({ name, phase }) => name === 'Veranda' && phase === 'setup')
      const { setupUrl } = there ?? (await hand.add('BT4', 'Veranda'))
      const board = setupUrl === null ? '' : `?board=${new URL(setupUrl).host}`
      await page.goto(`${web}/user/devices/new${board}`)
      await page.getByLabel('Wi-Fi name (SSID)').fill('Sharma home')
      await page.getByText('Pairing code made').waitFor()
    }
  }
]
