import { outboxPath } from '@batti/contracts/http/own-paths'
import type { Summary } from './closing-block.ts'
import { keepsRights, noRights } from '../data/kept-rights.ts'
import { webAt, type LaunchPlan } from './launch-plan.ts'
import { localUrl } from '../local-call.ts'

/** Returns notes for a user who opens Batti to the network. */
export function notesOfNetwork({ isLan, house, production, hasMailServer }: LaunchPlan): string[] {
  if (!isLan) return []
  const notes: string[] = []
  if (!production && !hasMailServer)
    notes.push(
      'Codes for sign-ups are in the outbox, which is closed with --lan: set SMTP_URL, or start without --lan.'
    )
  if (house === null) notes.push('This machine has no address in a network that others can reach.')
  return notes
}

/** Returns notes for a user who starts a copied data folder. */
export const notesOfCopy = ({ boardsOf, data, production }: LaunchPlan): string[] =>
  boardsOf === null || production
    ? []
    : [
        `${data} is a copy of ${boardsOf}. Its simulated boards would take the places of the boards there, so they have no Wi-Fi here until the wall gives it to them. Once ${boardsOf} is gone they are this home's.`
      ]

/** Returns a note for a user whose data folder others can read, whatever rights it is given. */
export const notesOfRights = ({ data }: LaunchPlan): string[] =>
  keepsRights(data) ? [] : [`${noRights.what} (${data}). ${noRights.do}`]

/** Returns the address for other machines: the one that people open by the settings, else that in the local network. */
export function houseOf(plan: LaunchPlan): { url: string; isPublic: boolean } | null {
  const publicUrl = plan.env['PUBLIC_URL']
  if (publicUrl !== undefined) return { url: publicUrl, isPublic: true }
  return plan.house === null ? null : { url: webAt(plan.house, plan), isPublic: false }
}

/** Builds the summary of a completed start. */
export function summaryOf(plan: LaunchPlan, found: Pick<Summary, 'accounts' | 'notes' | 'pids' | 'house'>): Summary {
  const { ports, certificates, production, hasMailServer, isLan, house, dev, data, env } = plan
  const publicHost = env['MQTT_PUBLIC_HOST']
  const api = localUrl(ports.http)
  return {
    ...found,
    web: webAt('127.0.0.1', plan),
    api: dev ? api : null,
    broker: `mqtts://${house ?? '127.0.0.1'}:${ports.mqtt}`,
    publicBroker: publicHost === undefined ? null : `mqtts://${publicHost}:${env['MQTT_PUBLIC_PORT'] ?? ports.mqtt}`,
    ca: certificates.caFile === '' ? null : certificates.caFile,
    // The outbox shows every code, so it is not available in the network.
    outbox: production || hasMailServer || isLan ? null : `${api}${outboxPath}`,
    wall: production ? null : `${localUrl(ports.wall)}/`,
    data
  }
}
