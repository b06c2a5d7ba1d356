import { arrow, dots, plug } from './icons.js'
import { createOutlet, element } from './outlets.js'

const phases = {
  off: 'No power',
  booting: 'Starting',
  setup: 'Setup mode',
  'setup-over': 'Setup mode is over',
  joining: 'Joining the Wi-Fi',
  pairing: 'Asking the server',
  refused: 'Not accepted',
  connecting: 'Connecting',
  online: 'Online'
}

/** Creates the card of a board: its plate, status light and plug. `hand(mac, what, body)` performs the user's action. */
export function createBoardCard(board, hand, open) {
  const { mac } = board
  const act = (what, body) => hand(mac, what, body)
  const root = element('li', 'board')
  const name = element('h2', 'name', board.name)
  const led = element('span', 'led')
  const status = element('span', 'status')
  const menu = element('button', 'icon')
  menu.type = 'button'
  menu.append(dots())
  menu.setAttribute('aria-label', `More about ${board.name}`)
  menu.setAttribute('aria-haspopup', 'menu')
  menu.setAttribute('aria-expanded', 'false')
  menu.addEventListener('click', () => open.menu(menu, mac))
  const heading = element('div', 'heading')
  const line = element('p', 'state')
  line.append(led, status)
  const title = element('div', 'title')
  title.append(name, line)
  heading.append(title, menu)

  const plate = element('div', 'plate')
  plate.style.setProperty('--outlets', String(board.outlets.length))
  const outlets = board.outlets.map((outlet) => createOutlet(outlet, act))
  plate.append(...outlets.map((outlet) => outlet.root))

  const detail = element('p', 'detail')
  const setup = element('a', 'setup')
  setup.target = '_blank'
  setup.rel = 'noopener'
  setup.append('Open its setup page', arrow())
  const inApp = element('a', 'setup')
  inApp.target = '_blank'
  inApp.rel = 'noopener'
  inApp.append('Set it up in the app', arrow())
  const app = document.getElementById('app')?.href
  const notes = element('div', 'notes')
  notes.append(detail, inApp, setup)

  const cable = element('button', 'plug')
  cable.type = 'button'
  const cableText = element('span')
  cable.append(plug(), cableText)
  cable.addEventListener('click', () => act('power', { on: cable.getAttribute('aria-pressed') !== 'true' }))
  const facts = element('p', 'facts')
  const foot = element('div', 'foot')
  foot.append(facts, cable)
  root.append(heading, plate, notes, foot)

  return {
    root,
    update(next) {
      root.dataset.phase = next.phase
      name.textContent = next.name
      outlets.forEach((outlet, index) => outlet.update(next.outlets[index], next))
      const trouble = troubles(next.faults)
      status.textContent = phases[next.phase] + (trouble.length > 0 ? ` · ${trouble.join(', ')}` : '')
      led.style.setProperty('--led', ledColour(next))
      detail.textContent = [next.notice, next.detail, waitingLine(next), firmwareLine(next.firmware)]
        .filter(Boolean)
        .join(' ')
      detail.hidden = detail.textContent === ''
      setup.hidden = next.phase !== 'setup' || next.setupUrl === null
      setup.href = next.setupUrl ?? '#'
      inApp.hidden = setup.hidden || app === undefined
      if (!inApp.hidden) inApp.href = setupInApp(app, next.setupUrl)
      facts.textContent = `${mac} · v${next.osVersion}`
      cable.setAttribute('aria-pressed', String(next.powered))
      cable.setAttribute('aria-label', `${next.powered ? 'Pull the plug of' : 'Plug in'} ${next.name}`)
      cableText.textContent = next.powered ? 'Pull the plug' : 'Plug in'
    }
  }
}

/** Returns the URL of the app's page "Configure New Device", with this board's address filled in. */
function setupInApp(app, setupUrl) {
  const page = new URL('/user/devices/new', app)
  page.searchParams.set('board', new URL(setupUrl).host)
  return page.href
}

function troubles(faults) {
  const named = []
  if (faults.silent) named.push('no answer')
  if (faults.offline) named.push('no Wi-Fi')
  if (faults.latencyMs + faults.jitterMs > 0) named.push(`${faults.latencyMs + faults.jitterMs} ms slow`)
  if (faults.commandLoss + faults.ackLoss + faults.reportLoss > 0) named.push('losing messages')
  if (faults.duplicates > 0 || faults.reorder > 1) named.push('repeating itself')
  return named
}

/** Returns a line about unacknowledged reports when there are several. */
function waitingLine({ unacknowledged, paired, powered }) {
  if (!powered || !paired || unacknowledged < 2) return null
  return `${unacknowledged} reports wait for the server.`
}

/** Describes a running update, or the result of the last one. */
function firmwareLine(firmware) {
  if (firmware === null) return null
  if (firmware.phase === 'failed') return `Update failed: ${firmware.error}`
  if (firmware.phase === 'done') return 'The new version is running.'
  return `Updating: ${firmware.phase}${firmware.phase === 'download' ? ` ${Math.round(firmware.percent)} %` : ''}`
}

/** The colours of the presets; any other value is a CSS colour. */
const named = {
  green: 'oklch(0.74 0.19 150)',
  blue: 'oklch(0.62 0.2 260)',
  red: 'oklch(0.63 0.23 25)',
  yellow: 'oklch(0.88 0.18 100)',
  violet: 'oklch(0.62 0.22 300)',
  'Sky Blue': 'oklch(0.75 0.13 235)',
  'Aqua Blue': 'oklch(0.8 0.13 200)',
  white: 'oklch(0.96 0 0)'
}

/** Returns the colour of the status light, which the owner chose; '' while the board is offline. */
function ledColour({ phase, activeColor }) {
  if (phase !== 'online') return ''
  const colour = named[activeColor] ?? activeColor ?? ''
  return CSS.supports('color', colour) ? colour : ''
}
