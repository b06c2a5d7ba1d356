import type { Plugin } from 'vite'

/**
 * In development Vite serves the page. This copies the meta tags that the API writes into the built page (the brand,
 * the broker's address for boards) from the API's own page. While the API is down the page has none.
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
