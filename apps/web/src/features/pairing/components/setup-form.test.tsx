import { fireEvent, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { notify } from '#web/lib/notify.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { setupDefaults } from '#web/features/pairing/setup-fields.ts'
import type { TypedDraft } from '#web/features/pairing/typed-draft.ts'
import { SetupForm } from './setup-form.tsx'

async function open(draft: TypedDraft | null = null, language: 'en' | 'ne' = 'en', hostname = '192.168.1.20') {
  const userId = 'aaaaaaaaaaaaaaaaaaaaaaaa.K7QF-2M8X-T4ND-9WRB'
  const onSent = vi.fn<() => void>()
  const app = await createTestApp({ areas: ['pairing', 'colours', 'rules'], language })
  const defaults = setupDefaults({ hostname, port: '49998', protocol: 'http:' }, 'Asia/Kathmandu')
  app.show(
    <SetupForm
      id="setup"
      board="192.168.4.1"
      defaults={defaults}
      draft={draft}
      userId={userId}
      isSent={false}
      onSent={onSent}
    />
  )
  const form = document.querySelector('form')
  if (form === null) throw new Error('no form')
  const fill = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })
  return { ...app, form, fill, onSent }
}

test('is a form that the browser itself posts to the board, in a new tab', async () => {
  const { form } = await open()
  expect(form.action).toBe('http://192.168.4.1/setupconfig')
  expect([form.method, form.target, form.getAttribute('rel')]).toEqual(['post', '_blank', 'noopener'])
})

test('contains exactly the specified fields with their defaults', async () => {
  const { form, fill } = await open()
  fill('Wi-Fi name (SSID)', 'Himal-2G')
  fill('Wi-Fi password', 'everest8848')
  expect(Object.fromEntries(new FormData(form))).toEqual({
    ssid: 'Himal-2G',
    password: 'everest8848',
    userId: 'aaaaaaaaaaaaaaaaaaaaaaaa.K7QF-2M8X-T4ND-9WRB',
    deviceId: '',
    serverUrl: '192.168.1.20',
    serverPort: '49998',
    otherUrl: '/api/v1/device-auth',
    mqttServerUrl: '192.168.1.20',
    mqttServerPort: '8883',
    activeColor: 'Aqua Blue',
    timezone: 'Asia/Kathmandu'
  })
})

test('is not sent without name and password of the Wi-Fi', async () => {
  const { form, fill, onSent } = await open()
  fill('Wi-Fi name (SSID)', '   ')
  fill('Wi-Fi password', 'everest8848')
  expect(fireEvent.submit(form)).toBe(false)
  expect(onSent).not.toHaveBeenCalled()
  expect(document.activeElement).toBe(screen.getByLabelText('Wi-Fi name (SSID)'))
  expect(screen.getByLabelText('Wi-Fi name (SSID)').getAttribute('aria-invalid')).toBe('true')
  expect(screen.getByLabelText('Wi-Fi password').hasAttribute('aria-invalid')).toBe(false)
})

test.each([
  ['en', 'Wi-Fi name (SSID)', 'SSID is at most 32 bytes: letters outside A to Z take two or three each'],
  ['ne', 'वाइफाइको नाम (SSID)', 'वाइफाइको नाम (SSID) बढीमा ३२ बाइटको हुन्छ: देवनागरीको एक अक्षरले तीन बाइट लिन्छ']
] as const)('a name of more than 32 bytes is reported, in %s', async (language, label, fault) => {
  const say = vi.spyOn(notify, 'error')
  const { form } = await open({ ssid: 'हाम्रो घरको इन्टरनेट', password: 'everest8848', activeColor: 'green' }, language)
  expect(fireEvent.submit(form)).toBe(false)
  expect(document.activeElement).toBe(screen.getByLabelText(label))
  expect(screen.getByRole('alert').textContent).toBe(fault)
  expect(say).toHaveBeenCalledExactlyOnceWith(fault, 'setup')
})

test('opens with what was typed before the page was loaded from another address', async () => {
  const { form } = await open({ ssid: 'Himal-2G', password: 'everest8848', activeColor: 'green' })
  expect(Object.fromEntries(new FormData(form))).toMatchObject({
    ssid: 'Himal-2G',
    password: 'everest8848',
    activeColor: 'green'
  })
})

test('on a page opened by localhost the fields of the server are open, and stay open while an address is typed', async () => {
  const { form, fill } = await open(null, 'en', 'localhost')
  const advanced = form.querySelector('details')
  expect(advanced?.open).toBe(true)
  fill('Server address', '192.168.1.20')
  expect(advanced?.open).toBe(true)
  expect(screen.queryByText(/localhost/)).toBeNull()
})

test('is sent when both are filled, and the password stays out of storage and address', async () => {
  const { form, fill, onSent, storage } = await open()
  fill('Wi-Fi name (SSID)', 'Himal-2G')
  fill('Wi-Fi password', 'everest8848')
  expect(fireEvent.submit(form)).toBe(true)
  expect(onSent).toHaveBeenCalledOnce()
  expect(JSON.stringify(storage.values()) + window.location.href).not.toContain('everest8848')
})

test('ports that were typed in Nepali digits are sent in those that boards read', async () => {
  const { form, fill } = await open()
  fill('Wi-Fi name (SSID)', 'Himal-2G')
  fill('Wi-Fi password', 'everest8848')
  fill('Server port', '४९९९८')
  fill('MQTT port', '८८८३')
  fireEvent.submit(form)
  const { serverPort, mqttServerPort } = Object.fromEntries(new FormData(form))
  expect([serverPort, mqttServerPort]).toEqual(['49998', '8883'])
})

test('defaults follow the address the page came from, and the zone falls back to Kathmandu', () => {
  const https = setupDefaults({ hostname: 'batti.example', port: '', protocol: 'https:' }, undefined)
  expect(https).toMatchObject({ serverUrl: 'batti.example', serverPort: '443', timezone: 'Asia/Kathmandu' })
  expect(setupDefaults({ hostname: 'batti.local', port: '', protocol: 'http:' }, '').serverPort).toBe('49998')
})

test("has the broker's address from the server's page, else the page’s own host and the default port", () => {
  const at = (head: string) => {
    const page = new DOMParser().parseFromString(`<head>${head}</head>`, 'text/html')
    const { mqttServerUrl, mqttServerPort } = setupDefaults(
      { hostname: '192.168.1.20', port: '24000', protocol: 'http:' },
      'UTC',
      page
    )
    return `${mqttServerUrl}:${mqttServerPort}`
  }
  expect(at('')).toBe('192.168.1.20:8883')
  expect(at('<meta name="batti-mqtt-port" content="24001">')).toBe('192.168.1.20:24001')
  expect(at('<meta name="batti-mqtt-host" content="mqtt.example"><meta name="batti-mqtt-port" content="1">')).toBe(
    'mqtt.example:1'
  )
})
