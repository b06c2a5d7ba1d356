import { brandOf, type Brand } from '@batti/contracts/brand'

/** The server chooses the brand (`BRAND`) and writes it into the page: `<meta name="batti-brand" content="...">`. */
export function readBrand(page: Document): Brand {
  return brandOf(page.querySelector('meta[name="batti-brand"]')?.getAttribute('content'))
}
