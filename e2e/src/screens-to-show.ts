import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { openSwitches } from './pages.ts'
import type { Product } from '@batti/launcher/testing/start-product'
import { createWall } from './wall.ts'

/** A screen for a screenshot: who sees it, and how to open it. */
export interface Screen {
  name: string
  /** Null: nobody is logged in. */
  role: 'user' | 'admin' | 'monitor' | null
  show(page: Page, product: Product): Promise<unknown>
}

/** Opens a page by its path and waits for its first heading. */
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
      // The bars around the page are loaded beside it.
      await page.waitForLoadState('networkidle')
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
  },
  {
    name: 'board',
    role: 'admin',
    async show(page, { web }) {
      await page.goto(`${web}/admin/devices?search=Bedroom`)
      await page.getByText('Bedroom wall').first().dblclick()
      await page.getByRole('heading', { level: 1, name: 'Bedroom wall' }).waitFor()
      await page.waitForLoadState('networkidle')
    }
  },
  {
    name: 'rollout',
    role: 'admin',
    async show(page, { web }) {
      await page.goto(`${web}/admin/rollouts`)
      await page.getByRole('heading', { level: 1, name: 'Rollouts' }).waitFor()
      await page.waitForLoadState('networkidle')
      if ((await page.getByText('No rollouts found').count()) > 0) await startRollout(page, web)
      else await page.getByText('wall 2.0.0').first().dblclick()
      await page.getByText(/^1 of \d done, /).waitFor()
    }
  }
]

/** Starts a rollout with the default stages: one board, which is then observed for half an hour. */
async function startRollout(page: Page, web: string): Promise<void> {
  const name = 'wall-2.0.0.bin'
  await page.goto(`${web}/admin/device-firmware-files`)
  const image = { name, mimeType: 'application/octet-stream', buffer: randomBytes(200_000) }
  await page.locator('input[type=file]').setInputFiles(image)
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
  await page.getByText('Upload successful').waitFor()
  await page.goto(`${web}/admin/rollouts/new?file=${name}`)
  await page.getByRole('button', { name: /^Start on \d boards$/ }).click()
}
