import type { Plugin } from 'vite'

/**
 * In development the page is Vite's, and what the api writes into the built one (the brand, where boards find the broker)
 * is taken over from the api's own page. While the api is away the page goes without, as it does without an api.
 */
export function metaFromApi(apiUrl: string): Plugin {
  return {
    name: 'meta-from-api',
    apply: 'serve',
    async transformIndexHtml(html) {
      const page = await fetch(apiUrl, { headers: { accept: 'text/html' }, signal: AbortSignal.timeout(5000) })
        .then((answer) => answer.text())
        .catch(() => '')
      const metas = page.match(/<meta name="batti-[^>]*>/g) ?? []
      return html.replace('</head>', () => `${metas.join('')}</head>`)
    }
  }
}
