import { LegalPage, type LegalSection } from '#web/features/legal/components/legal-page.tsx'

const sections: readonly LegalSection[] = [
  { title: 'terms.account', paragraphs: ['terms.account.body'] },
  { title: 'terms.use', paragraphs: ['terms.use.body'] },
  {
    title: 'terms.prohibited',
    points: ['terms.prohibited.reverse', 'terms.prohibited.illegal', 'terms.prohibited.overload']
  },
  { title: 'terms.updates', paragraphs: ['terms.updates.body'] },
  { title: 'terms.property', paragraphs: ['terms.property.body'] },
  { title: 'terms.liability', paragraphs: ['terms.liability.body'] },
  { title: 'terms.suspension', paragraphs: ['terms.suspension.body'] },
  { title: 'terms.law', paragraphs: ['terms.law.body'] }
]

/** /terms-and-conditions */
export function Screen() {
  return <LegalPage title="terms.title" intro="terms.intro" sections={sections} />
}
