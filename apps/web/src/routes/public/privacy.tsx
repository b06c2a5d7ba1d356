import { LegalPage, type LegalSection } from '#web/features/legal/components/legal-page.tsx'

const sections: readonly LegalSection[] = [
  {
    title: 'privacy.collect',
    points: ['privacy.collect.account', 'privacy.collect.device', 'privacy.collect.technical'],
    closing: 'privacy.optional'
  },
  { title: 'privacy.use', points: ['privacy.use.run', 'privacy.use.live', 'privacy.use.safe'] },
  { title: 'privacy.share', points: ['privacy.share.never', 'privacy.share.staff'] },
  { title: 'privacy.rights', points: ['privacy.rights.view', 'privacy.rights.delete', 'privacy.rights.logs'] },
  { title: 'privacy.children', paragraphs: ['privacy.children.body'] },
  { title: 'privacy.changes', paragraphs: ['privacy.changes.body'] }
]

/** /privacy */
export function Screen() {
  return <LegalPage title="privacy.title" effective="privacy.effective" intro="privacy.intro" sections={sections} />
}
