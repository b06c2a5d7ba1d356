import { createBoardCard } from './board-card.js'
import { element } from './outlets.js'

const boardsShown = 60
const byId = (id) => document.getElementById(id)
/** @type {Map<string, { view: object, card: ReturnType<typeof createBoardCard> | null }>} */
const boards = new Map()

async function call(method, path, body) {
  const answer = await fetch(`/api/${path}`, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  })
  const data = await answer.json()
  if (!answer.ok) throw new Error(data.message)
  return data
}

async function hand(mac, what, body) {
  try {
    show(await call('POST', `boards/${mac}/${what}`, body))
  } catch (error) {
    say(error.message)
  }
}

let sayTimer
function say(text) {
  const toast = byId('toast')
  toast.textContent = text
  toast.classList.add('shown')
  clearTimeout(sayTimer)
  sayTimer = setTimeout(() => toast.classList.remove('shown'), 4000)
}

function show(view) {
  let entry = boards.get(view.mac)
  if (entry === undefined) {
    const card = byId('boards').childElementCount < boardsShown ? createBoardCard(view, hand, { menu: openMenu }) : null
    if (card !== null) byId('boards').append(card.root)
    entry = { view, card }
    boards.set(view.mac, entry)
  }
  entry.view = view
  entry.card?.update(view)
  summarize()
}

function remove(mac) {
  const card = boards.get(mac)?.card
  if (card?.root.contains(document.activeElement)) byId('add').focus()
  card?.root.remove()
  boards.delete(mac)
  summarize()
}

function summarize() {
  const views = [...boards.values()].map(({ view }) => view)
  const online = views.filter(({ phase }) => phase === 'online').length
  const burning = views.flatMap(({ outlets }) => outlets).filter(({ on }) => on).length
  const count = `${views.length} ${views.length === 1 ? 'board' : 'boards'}`
  byId('summary').textContent =
    views.length === 0
      ? 'No boards'
      : `${count} · ${online} online · ${burning} ${burning === 1 ? 'outlet' : 'outlets'} on`
  byId('empty').hidden = views.length > 0
  const more = views.length - byId('boards').childElementCount
  byId('more').hidden = more <= 0
  byId('more').textContent = `${more} more boards run without a face here.`
}

const events = new EventSource('/api/events')
events.addEventListener('boards', ({ data }) => {
  const views = JSON.parse(data)
  const known = new Set(views.map(({ mac }) => mac))
  for (const mac of boards.keys()) if (!known.has(mac)) remove(mac)
  views.forEach(show)
  summarize()
  byId('reconnecting').hidden = true
  document.body.classList.remove('stale')
})
events.addEventListener('board', ({ data }) => show(JSON.parse(data)))
events.addEventListener('removed', ({ data }) => remove(JSON.parse(data).mac))
events.addEventListener('error', () => {
  byId('reconnecting').hidden = false
  document.body.classList.add('stale')
})

/* A new board */
const addDialog = byId('add-dialog')
const addForm = byId('add-form')
for (const id of ['add', 'add-first']) {
  byId(id).addEventListener('click', () => {
    byId('add-problem').hidden = true
    addDialog.showModal()
  })
}
byId('add-cancel').addEventListener('click', () => addDialog.close())
addForm.addEventListener('submit', (event) => {
  event.preventDefault()
  void addBoard()
})

async function addBoard() {
  const { model, name } = Object.fromEntries(new FormData(addForm))
  try {
    const board = await call('POST', 'boards', { model, ...(name.trim() === '' ? {} : { name: name.trim() }) })
    addDialog.close()
    addForm.reset()
    show(board)
    const { card } = boards.get(board.mac)
    card?.root.scrollIntoView({ block: 'nearest' })
    card?.root.querySelector('.setup:not([hidden])')?.focus({ preventScroll: true })
  } catch (error) {
    byId('add-problem').textContent = error.message
    byId('add-problem').hidden = false
  }
}

/* Injected faults */
const faultsDialog = byId('faults-dialog')
const faultsForm = byId('faults-form')
const shares = ['commandLoss', 'ackLoss', 'reportLoss']
let troubled = null

function openFaults(mac) {
  troubled = mac
  const { faults, name } = boards.get(mac).view
  byId('faults-title').textContent = `Trouble for ${name}`
  byId('faults-problem').hidden = true
  for (const input of faultsForm.querySelectorAll('input')) {
    if (input.type === 'checkbox') input.checked = faults[input.name]
    else input.value = String(shares.includes(input.name) ? Math.round(faults[input.name] * 100) : faults[input.name])
  }
  faultsDialog.showModal()
}

async function setFaults(faults) {
  try {
    show(await call('POST', `boards/${troubled}/faults`, faults))
    faultsDialog.close()
  } catch (error) {
    byId('faults-problem').textContent = error.message
    byId('faults-problem').hidden = false
  }
}

faultsForm.addEventListener('submit', (event) => {
  event.preventDefault()
  const inputs = [...faultsForm.querySelectorAll('input')]
  void setFaults(
    Object.fromEntries(
      inputs.map(({ name, type, checked, value }) => [
        name,
        type === 'checkbox' ? checked : Number(value) / (shares.includes(name) ? 100 : 1)
      ])
    )
  )
})
byId('faults-clear').addEventListener('click', () => {
  void setFaults({
    silent: false,
    offline: false,
    latencyMs: 0,
    jitterMs: 0,
    commandLoss: 0,
    ackLoss: 0,
    reportLoss: 0,
    duplicates: 0,
    reorder: 0
  })
})

/* The menu of one board */
const menuItems = [
  { text: 'Make trouble…', run: openFaults },
  {
    text: 'Factory reset…',
    run: (mac) =>
      confirmed(mac, 'Reset', 'It forgets its Wi-Fi and its owner, and opens its setup page again.', () =>
        hand(mac, 'reset', {})
      )
  },
  {
    text: 'Take off the wall…',
    run: (mac) => confirmed(mac, 'Take off', 'The board and everything it remembers are gone.', () => takeOff(mac))
  }
]
let closeMenu = () => undefined

function openMenu(button, mac) {
  const wasMine = button.getAttribute('aria-expanded') === 'true'
  closeMenu()
  if (wasMine) return
  const menu = element('div', 'menu')
  menu.setAttribute('role', 'menu')
  const items = menuItems.map(({ text, run }) => {
    const item = element('button', '', text)
    item.type = 'button'
    item.setAttribute('role', 'menuitem')
    item.addEventListener('click', () => {
      closeMenu()
      run(mac)
    })
    return item
  })
  menu.append(...items)
  button.after(menu)
  button.setAttribute('aria-expanded', 'true')
  items[0].focus()
  const onKey = (event) => {
    const at = items.indexOf(document.activeElement)
    if (event.key === 'Escape') {
      closeMenu()
      button.focus()
    } else if (event.key === 'ArrowDown') items[(at + 1) % items.length].focus()
    else if (event.key === 'ArrowUp') items[(at - 1 + items.length) % items.length].focus()
    else if (event.key === 'Home') items[0].focus()
    else if (event.key === 'End') items.at(-1).focus()
    else return
    event.preventDefault()
  }
  const onOutside = (event) => {
    if (!menu.contains(event.target) && !button.contains(event.target)) closeMenu()
  }
  menu.addEventListener('keydown', onKey)
  document.addEventListener('pointerdown', onOutside)
  document.addEventListener('focusin', onOutside)
  closeMenu = () => {
    menu.remove()
    button.setAttribute('aria-expanded', 'false')
    document.removeEventListener('pointerdown', onOutside)
    document.removeEventListener('focusin', onOutside)
    closeMenu = () => undefined
  }
}

function confirmed(mac, verb, text, run) {
  const { name } = boards.get(mac).view
  const dialog = byId('confirm-dialog')
  byId('confirm-title').textContent = `${verb} ${name}?`
  byId('confirm-text').textContent = text
  byId('confirm-yes').textContent = verb
  dialog.returnValue = 'no'
  dialog.addEventListener('close', () => dialog.returnValue === 'yes' && run(), { once: true })
  dialog.showModal()
}

async function takeOff(mac) {
  try {
    await call('DELETE', `boards/${mac}`)
    remove(mac)
  } catch (error) {
    say(error.message)
  }
}
