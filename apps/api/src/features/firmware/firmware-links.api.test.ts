import { expect, test } from 'vitest'
import { bearer, signUpAdmin } from '../../testing/people.ts'
import { startApi } from '../../testing/test-api.ts'

test('behind a proxy a link leads to the address that was asked for', async () => {
  const app = await startApi({ env: { PUBLIC_URL: '', TRUST_PROXY: '127.0.0.1', ALLOWED_HOSTS: 'home.example' } })
  const admin = await signUpAdmin(app)
  const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'home.example:8443' }
  const { body } = await app.http
    .post('/api/v1/device-firmware-files')
    .set(...bearer(admin))
    .set(forwarded)
    .attach('firmware', Buffer.from('an image'), 'wall-1.0.0.bin')
    .expect(201)
  expect(body.data.url).toMatch(/^https:\/\/home\.example:8443\//)
  await app.stop()
})
