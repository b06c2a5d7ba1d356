import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { axeFaults } from '../axe-faults.ts'
import { openHome, type Home } from './a-home.ts'
import { chooseFrom, timeAppeared } from '../pages.ts'

let home: Home

beforeAll(async () => {
  home = await openHome()
  await home.visit('/user/devices')
})
afterAll(async () => home?.close())

const dialog = () => home.page.getByRole('dialog')

describe('a board’s details', () => {
  it("open from its card, with the board's own data", async () => {
    const { page } = home
    await page.getByRole('button', { name: 'Options of Bedroom wall' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await dialog().getByText('batti-wall-fan').waitFor()
    await dialog()
      .getByText(await home.macOf('Bedroom wall'))
      .waitFor()
    expect(await axeFaults(page)).toEqual([])
  })

  it('are above the keyboard of a phone, with the button that saves', async () => {
    const { page } = home
    // No browser under test has such a keyboard: this is what one does to a page.
    const cover = (height: number | null) =>
      page.evaluate((seen) => {
        const { visualViewport } = window
        if (visualViewport === null) throw new Error('This browser does not tell what is seen of a page')
        if (seen === null) Reflect.deleteProperty(visualViewport, 'height')
        else Object.defineProperty(visualViewport, 'height', { value: seen, configurable: true })
        visualViewport.dispatchEvent(new Event('resize'))
      }, height)
    const save = dialog().getByRole('button', { name: 'Save Changes' })
    const edges = async () => {
      const [button, sheet] = await Promise.all([save.boundingBox(), dialog().boundingBox()])
      return [(sheet?.y ?? -1) >= 0, (button?.y ?? 0) + (button?.height ?? 0)] as const
    }
    await cover(500)
    await expect.poll(edges).toEqual([true, expect.toSatisfy((end: number) => end > 400 && end < 500)])
    await cover(null)
    await expect.poll(edges).toEqual([true, expect.toSatisfy((end: number) => end > 700)])
  })

  it('cannot be saved without a name', async () => {
    const save = dialog().getByRole('button', { name: 'Save Changes' })
    await dialog().getByLabel('Nickname').fill('   ')
    expect(await save.isDisabled()).toBe(true)
    await dialog().getByLabel('Nickname').fill('Night wall')
    expect(await save.isEnabled()).toBe(true)
  })

  it('are saved with room and custom colour, sent to the board, and confirmed by it', async () => {
    const { page, wall } = home
    await chooseFrom(dialog().getByLabel('Assigned room'), 'Living room')
    expect(await dialog().getByLabel('Assigned room').innerText()).toContain('Living room')
    await chooseFrom(dialog().getByLabel('Colour', { exact: true }), 'Custom')
    await dialog().getByLabel('Colour name or hex').fill('#ffb020')
    const save = dialog().getByRole('button', { name: 'Save Changes' })
    await Promise.all([timeAppeared(page, 'Device updated'), save.click()])
    await dialog().getByText('The board has taken the settings').waitFor()
    const mac = (await wall.list()).find(({ model }) => model === 'BTF')?.mac ?? ''
    await wall.when(mac, 'with its new colour', ({ activeColor }) => activeColor === '#ffb020')
    await dialog().getByRole('button', { name: 'Close' }).last().click()
    await dialog().waitFor({ state: 'detached' })
    const cards = (): Promise<string[]> => page.getByRole('article').allInnerTexts()
    const saved = expect.stringMatching(/Night wall[^]*Living room/)
    await expect.poll(cards, { timeout: 60_000 }).toContainEqual(saved)
  })
})
