import { onTestFinished, vi } from 'vitest'

/** Simulates a page of release `own` while the server has `served`. Returns the mock of `fetch`. */
export function openAcrossRelease({ own, served }: { own: string; served: string }) {
  const script = document.head.appendChild(document.createElement('script'))
  script.setAttribute('type', 'module')
  script.setAttribute('src', own)
  const asked = vi.fn<() => Promise<Response>>(
    async () => new Response(`<script type="module" crossorigin src="${served}"></script>`)
  )
  vi.stubGlobal('fetch', asked)
  onTestFinished(() => {
    vi.unstubAllGlobals()
    script.remove()
  })
  return asked
}
