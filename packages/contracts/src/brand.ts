/** What differs between the brands of the product. Screens, mails and documents read it from here. */
export interface Brand {
  id: 'batti' | 'ujyalo'
  name: string
  company: string
  /** Shape of the mark beside the name. */
  mark: 'lamp' | 'sunrise'
  contact: { email: string; phone: string; address: string }
  /** The company's home district, whose courts the terms name. */
  district: string
  /** For mails, which cannot read the screens' style sheet: sRGB, dark enough for white text on `accent`. */
  mailColours: { accent: string; lamp: string }
}

const brands: Record<Brand['id'], Brand> = {
  batti: {
    id: 'batti',
    name: 'Batti',
    company: 'Batti Smart Home Pvt. Ltd.',
    mark: 'lamp',
    contact: { email: 'support@batti.example', phone: '+977 1 597 0123', address: 'Pulchowk, Lalitpur, Nepal' },
    district: 'Lalitpur',
    mailColours: { accent: '#4a4fc4', lamp: '#f2b44b' }
  },
  ujyalo: {
    id: 'ujyalo',
    name: 'Ujyalo',
    company: 'Ujyalo Smart Home Pvt. Ltd.',
    mark: 'sunrise',
    contact: { email: 'support@ujyalo.example', phone: '+977 61 580 321', address: 'Lakeside, Pokhara, Nepal' },
    district: 'Kaski',
    mailColours: { accent: '#0f6e74', lamp: '#f0a35e' }
  }
}

const isBrandId = (id: string): id is Brand['id'] => Object.hasOwn(brands, id)
export const brandIds = Object.keys(brands).filter(isBrandId)

/** Returns the brand with that id; for an unknown or missing id the first brand. */
export function brandOf(id: string | null | undefined): Brand {
  return brands[typeof id === 'string' && isBrandId(id) ? id : 'batti']
}
