import { blades, bulb, dial } from './icons.js'

export function element(tag, className, text) {
  const made = document.createElement(tag)
  if (className) made.className = className
  if (text !== undefined) made.textContent = text
  return made
}

const kinds = {
  switch: { name: 'Switch', create: createButton },
  fan: { name: 'Fan', create: createKnob, level: 'Speed', icon: blades, turns: true },
  socket: { name: 'Socket', create: createButton },
  dimmer: { name: 'Dimmer', short: 'Dim', create: createKnob, level: 'Brightness', icon: bulb }
}

/** Creates one outlet of the plate. `act(what, body)` sends the user's action; `update` shows the board's state. */
export function createOutlet(outlet, act) {
  return kinds[outlet.kind].create(outlet, act)
}

/** Creates a rocker with a light, or a socket with a button. */
function createButton({ index, kind, label: name }, act) {
  const root = element('div', `outlet ${kind}`)
  const button = element('button', kind === 'socket' ? 'face' : 'rocker')
  button.type = 'button'
  button.append(element('span', 'light'))
  if (kind === 'socket') button.append(element('span', 'hole'), element('span', 'hole'), element('span', 'hole earth'))
  button.addEventListener('click', () => act('press', { index }))
  const label = element('span', 'label')
  root.append(button, label)
  return {
    root,
    update({ on }, { powered }) {
      button.setAttribute('aria-pressed', String(on))
      button.setAttribute('aria-label', name ?? `${kinds[kind].name} ${index + 1}`)
      button.disabled = !powered
      label.textContent = `${name ?? index + 1} · ${on ? 'on' : 'off'}`
    }
  }
}

/** Creates a knob. A press toggles it; its slider sets the level. */
function createKnob({ index, kind, label: name }, act) {
  const look = kinds[kind]
  const root = element('div', `outlet ${kind}`)
  const { icon, fillTo } = dial()
  const button = element('button', 'knob')
  button.type = 'button'
  button.append(element('span', 'light'), icon, look.icon())
  button.addEventListener('click', () => act('press', { index }))
  const slider = element('input', 'level')
  slider.type = 'range'
  slider.max = '255'
  slider.setAttribute('aria-label', `${look.level} of ${name ?? `${look.name.toLowerCase()} ${index + 1}`}`)
  slider.addEventListener('input', () => fillTo(Number(slider.value) / 255))
  slider.addEventListener('change', () => act('level', { index, speed: Number(slider.value) }))
  const label = element('span', 'label')
  root.append(button, slider, label)
  return {
    root,
    update({ on, speed }, { powered }) {
      button.setAttribute('aria-pressed', String(on))
      button.setAttribute('aria-label', name ?? `${look.name} ${index + 1}`)
      button.disabled = slider.disabled = !powered
      // Do not move the slider while the user drags it.
      if (document.activeElement !== slider || !slider.matches(':active')) slider.value = String(speed)
      slider.setAttribute('aria-valuetext', `${speed} of 255`)
      button.style.setProperty('--turn', `${Math.max(0.5, 3 - speed / 100)}s`)
      button.classList.toggle('turns', look.turns === true && on && speed > 0)
      fillTo(on ? speed / 255 : 0)
      label.textContent = `${name ?? look.short ?? look.name} · ${on ? speed : 'off'}`
    }
  }
}
