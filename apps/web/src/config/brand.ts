/** What differs between the names that the product is sold under. Colours are in styles/tokens.css, by `data-brand`. */
export interface Brand {
  id: 'batti' | 'ujyalo'
  name: string
  company: string
  /** Shape of the mark beside the name. */
  mark: 'lamp' | 'sunrise'
  contact: { email: string; phone: string; address: string }
  /** Home district of the company, whose courts the terms name. */
  district: string
}

const brands: Record<Brand['id'], Brand> = {
  batti: {
    id: 'batti',
    name: 'Batti',
    company: 'Batti Smart Home Pvt. Ltd.',
    mark: 'lamp',
    contact: { email: 'support@batti.example', phone: '+977 1 5970123', address: 'Pulchowk, Lalitpur, Nepal' },
    district: 'Lalitpur'
  },
  ujyalo: {
    id: 'ujyalo',
    name: 'Ujyalo',
    company: 'Ujyalo Smart Home Pvt. Ltd.',
    mark: 'sunrise',
    contact: { email: 'support@ujyalo.example', phone: '+977 61 580321', address: 'Lakeside, Pokhara, Nepal' },
    district: 'Kaski'
  }
}

/** The brand of that id; an unknown or missing id is the first brand. */
export function brandOf(id: string | null | undefined): Brand {
  return id === 'ujyalo' ? brands.ujyalo : brands.batti
}

/** The server chooses the brand (`BRAND`) and writes it into the page: `<meta name="batti-brand" content="...">`. */
export function readBrand(page: Document): Brand {
  return brandOf(page.querySelector('meta[name="batti-brand"]')?.getAttribute('content'))
}
