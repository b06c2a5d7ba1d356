// The demo home in Firefox and WebKit, Safari's engine: pages, taps that all windows show, a fan, a menu, a schedule, Nepali.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import puppeteer from 'puppeteer-core'
import { Builder, Capabilities, Key } from 'selenium-webdriver'

const { web, account, engines, port } = JSON.parse(process.argv[2])
const patientMs = 60_000
const size = { width: 500, height: 900 }
const faults = []

/** Waits until `look` returns something that counts as true. @throws Error that says what was not seen. */
async function until(what, look) {
  const deadline = Date.now() + patientMs
  for (;;) {
    const found = await look()
    if (found) return found
    if (Date.now() > deadline) throw new Error(`${what} was not seen within ${patientMs / 1000} s`)
    await sleep(100)
  }
}

/** Returns an expression for a visible element: of those with this label or text, if any is given, the nth. */
const elementOf = (
  selector,
  text,
  nth
) => `[...document.querySelectorAll(${JSON.stringify(selector)})].filter((element) =>
  element.checkVisibility() && [null, element.ariaLabel, element.textContent.trim()].includes(${JSON.stringify(text)})
)[${nth}]`

/** A window of Firefox, by WebDriver BiDi. */
async function openFirefox({ program }) {
  const browser = await puppeteer.launch({ browser: 'firefox', executablePath: program, headless: true })
  const page = await browser.newPage()
  await page.setViewport(size)
  page.on('pageerror', ({ message }) => faults.push(`${page.url()}: ${message}`))
  return {
    visit: (path) => page.goto(`${web}${path}`),
    read: (expression) => page.evaluate(expression),
    find: async (...which) => (await page.evaluateHandle(`${elementOf(...which)} ?? null`)).asElement(),
    press: (key) => page.keyboard.press(key),
    type: (text) => page.keyboard.type(text),
    close: () => browser.close()
  }
}

/** A window of WebKitGTK's MiniBrowser, by WebDriver. */
async function openWebKit({ program, driver: driverProgram }) {
  const server = spawn(driverProgram, [`--port=${port}`], { stdio: 'ignore' })
  const capabilities = new Capabilities({
    browserName: 'MiniBrowser',
    'webkitgtk:browserOptions': { binary: program, args: ['--automation'] }
  })
  const builder = new Builder().usingServer(`http://127.0.0.1:${port}`).withCapabilities(capabilities)
  const driver = await until('WebKitWebDriver', () => builder.build().catch(() => null))
  await driver
    .manage()
    .window()
    .setRect({ ...size, x: 0, y: 0 })
  const keys = { Enter: Key.ENTER, Escape: Key.ESCAPE, ArrowRight: Key.ARROW_RIGHT }
  return {
    visit: (path) => driver.get(`${web}${path}`),
    read: (expression) => driver.executeScript(`return ${expression}`),
    find: (...which) => driver.executeScript(`return ${elementOf(...which)}`),
    press: (key) => driver.actions().sendKeys(keys[key]).perform(),
    type: (text) => driver.actions().sendKeys(text).perform(),
    async close() {
      await driver.quit().catch(() => undefined)
      server.kill()
    }
  }
}

/** Adds what people do to a window. */
function personAt(window) {
  const see = (selector, text = null, nth = 0) =>
    until(`${selector} ${text ?? ''}`, () => window.find(selector, text, nth))
  /** Presses again what still moved, or was still covered. Drivers scroll only to the edge, below the bar of a phone. */
  const click = (selector, text = null, nth = 0) =>
    until(`${selector} ${text ?? ''} to press`, async () => {
      await window.read(`${elementOf(selector, text, nth)}?.scrollIntoView({ block: 'center' })`)
      const element = await window.find(selector, text, nth)
      if (!element) return false
      return element.click().then(
        () => true,
        () => false
      )
    })
  const seeValue = (what, expression, value) =>
    until(`${what} ${value}`, async () => (await window.read(expression)) === value)
  return { ...window, see, click, seeValue }
}

const main = { home: '/user/home', switches: '[role=switch]', fan: 'input[type=range]' }
const pages = 'home dashboard devices devices/new rooms switches favorite-switches schedules logs profile'.split(' ')

async function logIn({ visit, click, type, press, see }) {
  await visit('/login')
  await click('input')
  await type(account.email)
  await click('input[type=password]')
  await type(account.password)
  await press('Enter')
  await see(main.switches)
}

async function openEveryPage({ visit, see, read }) {
  for (const path of pages.map((page) => `/user/${page}`)) {
    await visit(path)
    await see('h1')
    assert.equal(await read('location.pathname'), path)
    assert.ok(await read('document.documentElement.scrollWidth <= innerWidth'), `${path} is wider than the window`)
  }
  await visit(main.home)
  await see(main.switches)
}

/** Every open screen shows what one of them does. */
async function tapAndTurn(person, everybody) {
  const firstSwitch = `document.querySelector('${main.switches}:not([aria-disabled])')?.ariaChecked`
  const before = await until('a switch', () => person.read(firstSwitch))
  for (const wanted of [before === 'true' ? 'false' : 'true', before]) {
    await person.click(main.switches)
    for (const one of everybody) await one.seeValue('a switch that is', firstSwitch, wanted)
  }
  const speed = `document.querySelector('${main.fan}')?.value`
  const slow = await person.read(speed)
  await person.read(`document.querySelector('${main.fan}').focus()`)
  await person.press('ArrowRight')
  const fast = await until('another speed', async () => (await person.read(speed)) !== slow && person.read(speed))
  for (const one of everybody) await one.seeValue('the speed', speed, fast)
}

async function openAndCloseMenu({ click, see, press, seeValue }) {
  await click('button[aria-label^="Options of "]')
  await see('[role=dialog] input, [role=menu]')
  await press('Escape')
  await seeValue(
    'the focus on its button, that is',
    `document.activeElement.ariaLabel?.startsWith('Options of ')`,
    true
  )
}

async function addSchedule({ index, visit, click, see, type }) {
  await visit('/user/schedules')
  await click('button', 'Add Schedule')
  await click('[role=dialog] [role=combobox]')
  await click('[role=option]', null, index)
  await click('[role=dialog] input[placeholder="HH:MM"]')
  await type(`071${index}`)
  await click('[role=dialog] input[placeholder="HH:MM"]', null, 1)
  await type('7:45')
  await click('[role=dialog] button', 'Save schedule')
  await see('main *', `07:1${index}`)
}

async function readNepali({ visit, see, press, read, seeValue }) {
  await visit(main.home)
  for (const language of ['ne', 'en']) {
    const button = `footer button[lang=${language}]`
    await see(button)
    await read(`document.querySelector('${button}').focus()`)
    await press('Enter')
    await seeValue('the language', 'document.documentElement.lang', language)
    const isNepali = /\p{Script=Devanagari}/u.test(await read(`document.querySelector('h1').textContent`))
    assert.equal(isNepali, language === 'ne')
  }
}

async function logOut({ visit, click, seeValue }) {
  await visit(main.home)
  await click('nav button', 'More')
  await click('[role=dialog] button', 'Logout')
  await seeValue('the path', 'location.pathname', '/user/login')
}

const openers = { firefox: openFirefox, webkit: openWebKit }
const people = []
try {
  for (const [index, engine] of engines.entries())
    people.push({ index, name: engine.name, ...personAt(await openers[engine.name](engine)) })
  const steps = [logIn, openEveryPage, tapAndTurn, openAndCloseMenu, addSchedule, readNepali, logOut]
  for (const step of steps)
    for (const person of people) {
      await step(person, people).catch((error) => {
        throw new Error(`${step.name} in ${person.name}: ${error.message}`, { cause: error })
      })
      console.log(`  ${person.name}: ${step.name}`)
    }
  assert.deepEqual(faults, [])
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
} finally {
  await Promise.all(people.map(({ close }) => close()))
}
