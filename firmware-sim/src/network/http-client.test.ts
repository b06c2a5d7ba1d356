import { expect, test } from 'vitest'
import { apiUrl } from './http-client.ts'

test.each([
  ['127.0.0.1', 49998, 'http://127.0.0.1:49998/api/v1/device-auth'],
  ['192.168.1.5', 49998, 'http://192.168.1.5:49998/api/v1/device-auth'],
  ['172.20.0.1', 49998, 'http://172.20.0.1:49998/api/v1/device-auth'],
  ['localhost', 49998, 'http://localhost:49998/api/v1/device-auth'],
  ['batti.local', 80, 'http://batti.local/api/v1/device-auth'],
  ['::1', 49998, 'http://[::1]:49998/api/v1/device-auth'],
  ['192.168.1.5', 443, 'https://192.168.1.5/api/v1/device-auth'],
  ['https://10.0.0.2/', 49998, 'https://10.0.0.2:49998/api/v1/device-auth'],
  ['http://home.example.com', 49998, 'http://home.example.com:49998/api/v1/device-auth']
])('a board calls %s port %i at %s', (host, port, url) => {
  expect(apiUrl({ host, port }, '/api/v1/device-auth').href).toBe(url)
})

test.each(['home.example.com', '8.8.8.8', '172.32.0.1', '2001:db8::1', '10.evil.example'])(
  'a pairing code is not sent unencrypted to %s',
  (host) => {
    expect(apiUrl({ host, port: 49998 }, 'api').protocol).toBe('https:')
  }
)

test('an invalid address throws', () => {
  expect(() => apiUrl({ host: 'not an address', port: 1 }, '/')).toThrow('Invalid URL')
})
