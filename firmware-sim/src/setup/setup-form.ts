import { urlHost } from '@batti/kit/address'
import { defaultBoardColour, defaultTimezone, setupForm, type SetupForm } from '@batti/contracts'
import type { z } from 'zod'
import type { DeviceConfig } from '../device/device-state.ts'
import { isZone } from '../device/timetable.ts'

export interface FormFault {
  readonly field: string
  readonly message: string
}

/** Reads a posted setup form. Returns the form, or all its faults with the names of their fields. */
export function readSetupForm(fields: URLSearchParams): { form: SetupForm } | { faults: FormFault[] } {
  const given = Object.fromEntries([...fields].filter(([name, value]) => value.trim() !== '' || name === 'password'))
  const parsed = setupForm.safeParse({ ...emptyFields, ...given })
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => ({ field: String(issue.path[0]), message: textOf(issue) }))
    return { faults: faults.filter((fault, index) => faults.findIndex(({ field }) => field === fault.field) === index) }
  }
  const faults = faultsOfAddresses(parsed.data)
  const { timezone } = parsed.data
  if (timezone !== undefined && !isZone(timezone))
    faults.push({ field: 'timezone', message: `Timezone “${timezone}” is not one that this board knows` })
  return faults.length > 0 ? { faults } : { form: parsed.data }
}

/** Treats a missing field as empty, so that the fault has the message of the field. */
const emptyFields = {
  ssid: '',
  password: '',
  userId: '',
  serverUrl: '',
  serverPort: '',
  otherUrl: '',
  mqttServerUrl: '',
  mqttServerPort: ''
}

/** Fields whose faults are named here; those of the others come from the schema. */
const fieldNames: Record<string, string> = {
  userId: 'Pairing code',
  serverUrl: 'Server address',
  serverPort: 'Server port',
  otherUrl: 'API path',
  mqttServerUrl: 'MQTT address',
  mqttServerPort: 'MQTT port',
  activeColor: 'Light colour',
  timezone: 'Time zone'
}

function textOf(issue: z.core.$ZodIssue): string {
  const field = String(issue.path[0])
  const name = fieldNames[field]
  if (name === undefined) return issue.message
  if (field.endsWith('Port')) return `${name} must be a number from 1 to 65535`
  return issue.code === 'too_big' ? `${name} is at most ${issue.maximum} characters` : `${name} is required`
}

/** A board with an unusable address would leave setup mode and find nothing, so both are checked before. */
function faultsOfAddresses({ serverUrl, mqttServerUrl }: SetupForm): FormFault[] {
  const hosts = { serverUrl: serverUrl.replace(/^https?:\/\//i, '').replace(/\/+$/, ''), mqttServerUrl }
  return Object.entries(hosts).flatMap(([field, host]) =>
    isHostAlone(host)
      ? []
      : { field, message: `${fieldNames[field]} must be a name or address alone, such as batti.local or 192.168.1.20` }
  )
}

/** Ports and paths have fields of their own. */
function isHostAlone(text: string): boolean {
  const host = urlHost(text)
  return !/[/\\?#@]/.test(host) && (host.startsWith('[') || !host.includes(':')) && URL.canParse(`http://${host}/`)
}

export function configFromForm(form: SetupForm): DeviceConfig {
  return {
    rev: 0,
    activeColor: form.activeColor || defaultBoardColour,
    timezone: form.timezone || defaultTimezone,
    wifi: { ssid: form.ssid, password: form.password },
    api: { host: form.serverUrl, port: form.serverPort },
    mqtt: { host: form.mqttServerUrl, port: form.mqttServerPort }
  }
}
