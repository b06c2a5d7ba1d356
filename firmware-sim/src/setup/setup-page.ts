import {
  boardColours,
  defaultBoardColour,
  defaultHttpPort,
  defaultMqttPort,
  defaultTimezone,
  deviceAuthPath,
  setupConfigPath,
  type OutletKind,
  type SetupForm
} from '@batti/contracts'
import { minuteMs } from '@batti/kit/durations'
import type { FormFault } from './setup-form.ts'
import { setupStyle } from './setup-style.ts'

/** The facts about the board that its page shows. */
export interface SetupSubject {
  readonly mac: string
  readonly title: string
  readonly outlets: readonly OutletKind[]
}

type Values = ReadonlyMap<string, string>

const defaults: Values = new Map([
  ['serverPort', String(defaultHttpPort)],
  ['mqttServerPort', String(defaultMqttPort)],
  ['otherUrl', deviceAuthPath],
  ['activeColor', defaultBoardColour],
  ['timezone', defaultTimezone]
])

/** Renders the form with its defaults, or with the previous input and its faults. Never shows the password again. */
export function formPage(
  subject: SetupSubject,
  leftMs: number,
  typed: Values = new Map(),
  faults: readonly FormFault[] = []
): string {
  const values = new Map([...defaults, ...typed])
  const field = (name: string, label: string, options: FieldOptions = {}): string =>
    fieldHtml(name, label, options, { values, faults })
  const advancedFaults = faults.some(({ field: name }) => ['otherUrl', 'activeColor', 'timezone'].includes(name))
  return page(
    `Set up ${subject.title}`,
    `${drawing(subject.outlets)}
    <h1>Set up this board</h1>
    <p class="lead">Tell it your Wi‑Fi, and who it belongs to.</p>
    <p class="mac">${escape(subject.title)} · ${escape(subject.mac)}</p>
    ${faults.length === 0 ? '' : faultList(faults)}
    <form method="post" action="${setupConfigPath}" novalidate>
      <fieldset>
        <legend>Your Wi‑Fi</legend>
        ${field('ssid', 'Network name', { autocomplete: 'off', hint: 'Boards hear 2.4 GHz networks only.' })}
        ${field('password', 'Network password', { type: 'password', autocomplete: 'off' })}
      </fieldset>
      <fieldset>
        <legend>Your home</legend>
        ${field('userId', 'Pairing code', { autocomplete: 'off', hint: 'In Batti, “Configure New Device” shows it. It is good for ten minutes.' })}
      </fieldset>
      <fieldset>
        <legend>Your server</legend>
        <div class="pair">
          ${field('serverUrl', 'Server address', { inputmode: 'url' })}
          ${field('serverPort', 'Server port', { inputmode: 'numeric' })}
        </div>
        <div class="pair">
          ${field('mqttServerUrl', 'MQTT address', { inputmode: 'url' })}
          ${field('mqttServerPort', 'MQTT port', { inputmode: 'numeric' })}
        </div>
      </fieldset>
      <details class="card"${advancedFaults ? ' open' : ''}>
        <summary>More settings</summary>
        ${field('otherUrl', 'API path')}
        ${colourField(values)}
        ${field('timezone', 'Time zone', { hint: 'For the board’s own timetable, for example Asia/Kathmandu.' })}
      </details>
      <input type="hidden" name="deviceId" value="${escape(typed.get('deviceId') ?? '')}">
      <button type="submit">Connect this board</button>
    </form>
    <p class="left">${timeLeft(leftMs)}</p>`
  )
}

/** Renders the list of the next steps, in order. */
export function acceptedPage(subject: SetupSubject, form: SetupForm): string {
  const server = `${form.serverUrl}:${form.serverPort}`
  return page(
    'The board is connecting',
    `<svg class="tick" viewBox="0 0 72 72" fill="none" stroke="currentColor" stroke-width="4" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><circle cx="36" cy="36" r="32" opacity=".3"/><path d="m23 37 9 9 17-19"/></svg>
    <h1>Got it. The board is connecting</h1>
    <p class="lead">You can close this page and go back to Batti.</p>
    <p class="mac">${escape(subject.title)} · ${escape(subject.mac)}</p>
    <section class="card next">
      <h2>What happens next</h2>
      <ol>
        <li>The board leaves setup mode and joins <strong>${escape(form.ssid)}</strong>.</li>
        <li>It introduces itself to <strong>${escape(server)}</strong> with your pairing code.</li>
        <li>It shows up online in Batti, usually within 20 seconds.</li>
      </ol>
      <p>Nothing after a minute? Most often the Wi-Fi password has a typing error, or the pairing code ran out. Pull the plug, put it back, and this page is open for another ten minutes.</p>
    </section>`
  )
}

/** Renders the page outside setup mode, where nothing can be changed. */
export function closedPage(subject: SetupSubject): string {
  return page(
    'This board is not in setup mode',
    `${drawing(subject.outlets)}
    <h1>This board is not in setup mode</h1>
    <p class="lead">It takes settings for ten minutes after its power comes on, while it has none, and only once.</p>
    <p class="mac">${escape(subject.title)} · ${escape(subject.mac)}</p>
    <section class="card next">
      <h2>To set it up</h2>
      <ol>
        <li>Not set up yet? Pull the plug, put it back, and open this page again.</li>
        <li>Set up already? It answers to its owner, in Batti.</li>
      </ol>
    </section>`
  )
}

export const faultPage = (message: string): string =>
  page('That did not work', `<h1>That did not work</h1><p class="lead">${escape(message)}</p>`)

interface FieldOptions {
  type?: string
  hint?: string
  inputmode?: string
  autocomplete?: string
}

interface Filled {
  values: Values
  faults: readonly FormFault[]
}

function fieldHtml(name: string, label: string, options: FieldOptions, { values, faults }: Filled): string {
  const { type = 'text', hint, inputmode, autocomplete } = options
  const fault = faults.find((candidate) => candidate.field === name)
  const described = [...(fault ? [`${name}-fault`] : []), ...(hint === undefined ? [] : [`${name}-hint`])].join(' ')
  return `<div class="field">
    <label for="${name}">${label}</label>
    <input id="${name}" name="${name}" type="${type}" value="${type === 'password' ? '' : escape(values.get(name) ?? '')}" required
      autocapitalize="none" spellcheck="false"${inputmode ? ` inputmode="${inputmode}"` : ''}${autocomplete ? ` autocomplete="${autocomplete}"` : ''}${fault ? ' aria-invalid="true"' : ''}${described ? ` aria-describedby="${described}"` : ''}>
    ${fault ? `<p class="fault" id="${name}-fault">${escape(fault.message)}</p>` : ''}
    ${hint === undefined ? '' : `<p class="hint" id="${name}-hint">${escape(hint)}</p>`}
  </div>`
}

function colourField(values: Values): string {
  const chosen = values.get('activeColor') ?? defaultBoardColour
  const options = [...new Set<string>([...boardColours, chosen])]
    .map((colour) => `<option${colour === chosen ? ' selected' : ''}>${escape(colour)}</option>`)
    .join('')
  return `<div class="field"><label for="activeColor">Light colour of the board</label><select id="activeColor" name="activeColor">${options}</select></div>`
}

function faultList(faults: readonly FormFault[]): string {
  const items = faults
    .map(({ field, message }) => `<li><a href="#${escape(field)}">${escape(message)}</a></li>`)
    .join('')
  return `<section class="card faults" role="alert"><h2>${faults.length === 1 ? 'One thing is' : `${faults.length} things are`} not right yet</h2><ul>${items}</ul></section>`
}

function timeLeft(leftMs: number): string {
  const minutes = Math.max(1, Math.round(leftMs / minuteMs))
  return `Setup mode ends in about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`
}

/** Draws the front of the board. */
function drawing(outlets: readonly OutletKind[]): string {
  const width = 52
  const row = outlets
    .map((kind, index) => `<g transform="translate(${12 + index * width} 12)">${faces[kind]}</g>`)
    .join('')
  const all = 12 + outlets.length * width + 4
  return `<svg class="board" viewBox="0 0 ${all} 92" fill="none" stroke="currentColor" stroke-width="2" aria-hidden="true"><rect x="1" y="1" width="${all - 2}" height="90" rx="14"/>${row}</svg>`
}

const faces: Record<OutletKind, string> = {
  switch: '<rect x="4" y="4" width="36" height="60" rx="8"/><path d="M10 34h24" opacity=".5"/>',
  fan: '<circle cx="22" cy="34" r="18"/><path d="M22 34V20"/>',
  socket:
    '<circle cx="22" cy="34" r="18"/><circle cx="16" cy="34" r="2.5" fill="currentColor"/><circle cx="28" cy="34" r="2.5" fill="currentColor"/>',
  dimmer: '<circle cx="22" cy="34" r="18"/><path d="M11 45a15 15 0 1 1 22 0M22 34l7-9" opacity=".7"/>'
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<link rel="icon" href="data:,">
<style>${setupStyle}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`
}

const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escape = (text: string): string => text.replace(/[&<>"']/g, (sign) => signs[sign] ?? sign)
