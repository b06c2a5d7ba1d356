import { brandOf } from '@batti/contracts/brand'

/** `/manifest.webmanifest`: how the app appears on a phone's home screen. Source: W3C Web App Manifest. */
export function webManifest(brandId: string) {
  const { name } = brandOf(brandId)
  const icon = (src: string, sizes: string, purpose: 'any' | 'maskable') => ({
    src: `/icons/${src}`,
    sizes,
    type: 'image/png',
    purpose
  })
  return {
    id: '/',
    name,
    short_name: name,
    description: 'Switches, fans, rooms and schedules of your home.',
    // Redirects a signed-in user to the home of their role.
    start_url: '/user/login',
    scope: '/',
    display: 'standalone',
    background_color: '#1a1d2b',
    theme_color: '#1a1d2b',
    icons: [
      icon('icon-192.png', '192x192', 'any'),
      icon('icon-512.png', '512x512', 'any'),
      icon('icon-maskable-512.png', '512x512', 'maskable')
    ]
  }
}
