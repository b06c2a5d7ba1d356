import { isPageNamed, staffPages } from '@batti/contracts'
import { staffMay, type Actor } from '../../platform/people/actor.ts'

/** Returns pages with that text in their title that the actor may see; a monitor without permissions finds none. */
export function findPages(actor: Actor, text: string, limit: number): { path: string; title: string }[] {
  return staffPages
    .filter(({ title, monitor }) => mayHave(actor, monitor) && isPageNamed(title, text))
    .slice(0, limit)
    .map(({ page, title }) => ({ path: `/${actor.role}/${page}`, title }))
}

function mayHave(actor: Actor, monitor: (typeof staffPages)[number]['monitor']): boolean {
  if (actor.role === 'admin') return true
  if (monitor === 'any') return actor.permissions.length > 0
  return monitor !== 'none' && staffMay(actor, monitor)
}
