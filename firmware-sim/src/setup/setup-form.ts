import { defaultBoardColour, defaultTimezone, setupForm, type SetupForm } from '@batti/contracts'
import type { DeviceConfig } from '../device/device-state.ts'
import { isZone } from '../device/timetable.ts'

export type FormFault = { readonly field: string; readonly message: string }

/** Reads a posted setup form. Returns the form, or all its faults with the names of their fields. */
export function readSetupForm(fields: URLSearchParams): { form: SetupForm } | { faults: FormFault[] } {
  const given = Object.fromEntries([...fields].filter(([name, value]) => value.trim() !== '' || name === 'password'))
  const parsed = setupForm.safeParse({ ...emptyFields, ...given })
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => ({
      field: String(path[0]),
      message: readable(String(path[0]), message)
    }))
    return { faults: faults.filter((fault, index) => faults.findIndex(({ field }) => field === fault.field) === index) }
  }
  const { timezone } = parsed.data
  if (timezone !== undefined && !isZone(timezone)) {
    return { faults: [{ field: 'timezone', message: `Timezone “${timezone}” is not one that this board knows` }] }
  }
  return { form: parsed.data }
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

const fieldNames: Record<string, string> = {
  serverPort: 'Server port must be a number from 1 to 65535',
  mqttServerPort: 'MQTT port must be a number from 1 to 65535',
  otherUrl: 'API path is required',
  userId: 'Pairing code is required'
}

const readable = (field: string, message: string): string => fieldNames[field] ?? message

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
