import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { timeAppeared, whenSwitched } from '../pages.ts'
import { openHome, type Home } from './a-home.ts'

let home: Home

beforeAll(async () => {
  home = await openHome()
})
afterAll(async () => home?.close())

const schedule = (label: string) => home.page.getByRole('article').filter({ hasText: label })

/** The focused element. The row that had the focus may be gone. */
const keyboardIsAt = () => home.page.evaluate(() => document.activeElement?.textContent)

describe('schedules', () => {
  it('are added from a switch, after the next firings were shown in the home’s time zone', async () => {
    const { page } = home
    await home.visit('/user/switches')
    await page.getByRole('button', { name: 'Options of Kettle' }).click()
    await page.getByRole('button', { name: 'Add Schedule' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add Schedule' })
    await dialog.getByRole('button', { name: 'Save schedule' }).click()
    await dialog.getByText('Start time, start action, end time, and end action are required.').waitFor()
    await dialog.getByLabel('Start', { exact: true }).fill('23:30')
    await dialog.getByLabel('End', { exact: true }).fill('00:15')
    await dialog.getByText('Lasts 45 mins, into the next day.').waitFor()
    const preview = dialog.getByRole('region', { name: 'Next firings' })
    await preview.getByText('Asia/Kathmandu').waitFor()
    await dialog.getByText('Weekly', { exact: true }).click()
    await dialog.getByRole('button', { name: 'Save schedule' }).click()
    await dialog.getByText('Please select at least one day for a weekly repeat.').waitFor()
    await dialog.getByText('Sat', { exact: true }).click()
    await dialog.getByRole('button', { name: 'Save schedule' }).click()
    await dialog.getByText('Please select an end date for repeating schedules.').waitFor()
    await dialog.getByText('Without end', { exact: true }).click()
    await expect.poll(() => preview.getByRole('listitem').count()).toBe(5)
    expect(await preview.getByRole('listitem').first().innerText()).toMatch(/23:30 · On|00:15 · Off/)
    const save = dialog.getByRole('button', { name: 'Save schedule' })
    await Promise.all([timeAppeared(page, 'Schedule created successfully!'), save.click()])
    await dialog.waitFor({ state: 'detached' })
  })

  it('are listed with their actions; one without a label is marked as such', async () => {
    await home.visit('/user/schedules')
    const unnamed = schedule('Unnamed Schedule')
    await unnamed.getByText('Every week on Sat').waitFor()
    await unnamed.getByText('45 mins').waitFor()
    await unnamed.getByText('Active', { exact: true }).waitFor()
    await schedule('Fan off before dawn').getByText('6 hrs 30 mins').waitFor()
  })

  it('are deactivated and activated again', async () => {
    const own = schedule('Morning tea')
    await own.getByRole('switch', { name: 'Morning tea' }).click()
    await own.getByText('Inactive', { exact: true }).waitFor()
    await own.getByRole('switch', { name: 'Morning tea' }).click()
    await own.getByText('Active', { exact: true }).waitFor()
  })

  it('are edited, and closing does not discard input without asking', async () => {
    const { page } = home
    await page.getByRole('button', { name: 'Edit Unnamed Schedule' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit Schedule' })
    await dialog.getByLabel('Label').fill('')
    await dialog.getByRole('button', { name: 'Save schedule' }).click()
    await dialog.getByText('Label, start time, end time, start action, and end action are required.').waitFor()
    await dialog.getByLabel('Label').fill('Late tea')
    await page.keyboard.press('Escape')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click()
    await dialog.getByLabel('End', { exact: true }).fill('00:45')
    await dialog.getByRole('button', { name: 'Save schedule' }).click()
    await schedule('Late tea').getByText('1 hr 15 mins').waitFor()
  })

  it('are deleted after a confirmation', async () => {
    const { page } = home
    await page.getByRole('button', { name: 'Delete Late tea' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete schedule' }).click()
    await schedule('Late tea').waitFor({ state: 'detached' })
    await expect.poll(keyboardIsAt).toBe('Add Schedule')
  })
})

/** The text of the next row. A page has a fixed number of rows, so their count does not show a new one. */
const oppositeOf = (row: string): string => (row.includes('turned ON') ? 'turned OFF' : 'turned ON')

describe('a switch’s own page and the log', () => {
  it('tell why a switch is on, and open the log at that row', async () => {
    const { page, wall } = home
    const mac = await home.macOf('Kitchen counter strip')
    if ((await wall.find(mac)).switch[1]) await wall.press(mac, 1)
    await wall.press(mac, 1)
    await home.visit('/user/switches')
    await whenSwitched(page.getByRole('switch', { name: /^Rice cooker of / }), true)
    await page.getByRole('button', { name: 'Options of Rice cooker' }).click()
    await page.getByRole('link', { name: 'Details and history' }).click()
    await page.getByRole('heading', { level: 1, name: 'Rice cooker' }).waitFor()
    await page.getByText('Why is this on?').waitFor()
    await page.getByText('Wall button').first().waitFor()
    await page.getByRole('link', { name: 'See it in the log' }).click()
    const why = page.locator('[aria-current="true"]').filter({ hasText: 'This is why it is on' })
    await why.getByText('Rice cooker turned ON').waitFor()
    await expect.poll(() => why.evaluate((row) => row === document.activeElement)).toBe(true)
  })

  it('follow a toggle while they are open', async () => {
    const { page, wall } = home
    await home.visit('/user/logs')
    const newest = page.getByRole('listitem').filter({ hasText: 'Radio turned' }).first()
    const before = await newest.innerText()
    await wall.press(await home.macOf('Kitchen counter strip'), 3)
    await newest.getByText(oppositeOf(before)).waitFor()
    await newest.getByText('Wall button').waitFor()
  })

  it('contain what was toggled while the page was still loading', async () => {
    const { page, wall } = home
    const { promise: mayFollow, resolve: answer } = Promise.withResolvers<void>()
    await page.route(/\/api\/v1\/devices/, async (route) => mayFollow.then(() => route.continue()))
    await home.visit('/user/logs')
    const newest = page.getByRole('listitem').filter({ hasText: 'Radio turned' }).first()
    const before = await newest.innerText()
    const mac = await home.macOf('Kitchen counter strip')
    await wall.press(mac, 3)
    await wall.when(mac, 'has told it', ({ unacknowledged }) => unacknowledged === 0)
    answer()
    await newest.getByText(oppositeOf(before)).waitFor()
    await page.unroute(/\/api\/v1\/devices/)
  })

  it('show the exact time in full where it was tapped', async () => {
    const time = home.page.locator('li time').first()
    await time.click()
    const cutBy = await time.evaluate((element) => {
      const lefts = [...element.getClientRects()].map(({ left }) => left)
      return (element.closest('p')?.getBoundingClientRect().left ?? Infinity) - Math.min(...lefts)
    })
    expect(cutBy).toBeLessThanOrEqual(0)
  })

  it('show the time of day for rows of earlier days, on a phone too: the day is above it', async () => {
    await home.visit('/user/logs')
    const oldest = home.page
      .getByRole('listitem')
      .filter({ hasText: /turned O/ })
      .last()
    expect(await oldest.innerText()).toMatch(/\d\d:\d\d/)
  })

  it('have the name of a schedule on the line of what is beside it', async () => {
    const name = home.page.locator('li a[href*="schedule="]').first()
    const steps = await name.evaluate((link) => {
      const endOf = (element: Element | null | undefined) => {
        const text = document.createRange()
        if (element) text.selectNodeContents(element)
        return text.getBoundingClientRect().bottom
      }
      return Math.abs(endOf(link) - endOf(link.parentElement?.nextElementSibling))
    })
    expect(steps).toBeLessThan(1)
  })

  it('are filtered by cause and date, and the address keeps it', async () => {
    const { page } = home
    await page.getByRole('button', { name: 'Cause', exact: true }).click()
    await page.getByRole('menuitemradio', { name: /^By the board/ }).click()
    await page.waitForURL(/from=board/)
    await page.getByRole('button', { name: 'Date', exact: true }).click()
    await page.getByRole('menuitemradio', { name: 'Yesterday' }).click()
    const days = page.getByRole('heading', { level: 2 })
    // The demo's week has wall buttons every day.
    await expect.poll(() => days.allInnerTexts()).toEqual(['Yesterday'])
    await page.reload()
    await page.getByRole('button', { name: 'Date: Yesterday' }).waitFor()
    await page.getByRole('button', { name: 'Show everything' }).click()
    // Today has none yet just after midnight.
    await days.nth(1).waitFor()
  })

  it('lose one row, then all of them, each after a confirmation', async () => {
    const { page } = home
    await page
      .getByRole('button', { name: /^Options of: Radio turned/ })
      .first()
      .click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const question = page.getByRole('alertdialog')
    await question.getByText('Are you sure to delete this log?').waitFor()
    const confirm = question.getByRole('button', { name: 'Delete', exact: true })
    await Promise.all([timeAppeared(page, 'Log deleted'), confirm.click()])
    await expect.poll(keyboardIsAt).toBe('Clear Logs')
    await page.getByRole('button', { name: 'Clear Logs' }).click()
    await question.getByText('Are you sure you want to clear all logs? This action is irreversible.').waitFor()
    await question.getByRole('button', { name: 'Clear Logs' }).click()
    await page.getByText('No logs available').waitFor()
  })
})
