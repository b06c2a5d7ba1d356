import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { webManifest } from './web-manifest.ts'

const publicDir = join(import.meta.dirname, '../../../../../web/public')

it.each([
  ['batti', 'Batti'],
  ['ujyalo', 'Ujyalo']
])('puts %s on the home screen as %s, with existing pictures', (brand, name) => {
  const manifest = webManifest(brand)
  expect(manifest).toMatchObject({ name, short_name: name, start_url: '/user/login', display: 'standalone' })
  expect(manifest.icons.filter(({ src }) => !existsSync(join(publicDir, src)))).toEqual([])
})
