import type { DomainEvents, EventBus, EventName } from '../platform/events.ts'

/** Events that every instance must receive: they revoke or change grants held in its memory, or go to its screens. */
const sharedEvents = [
  'account-changed',
  'account-deleted',
  'address-blocked',
  'claim-progressed',
  'device-added',
  'device-claimed',
  'device-edited',
  'device-released',
  'firmware-notice',
  'rollout-notice',
  'session-ended',
  'switch-changed',
  'switch-edited',
  'user-notified'
] as const satisfies readonly EventName[]
type SharedEvent = (typeof sharedEvents)[number]

const isShared = (name: unknown): name is SharedEvent => sharedEvents.some((each) => each === name)

/** Sends local events to other instances through `publish`. Returns the function that receives theirs. */
export function shareEvents(
  events: EventBus,
  publish: (name: string, payload: object) => void
): (name: unknown, payload: unknown) => void {
  // An event received from another instance is emitted here, but not published again.
  const fromElsewhere = new Set<object>()
  for (const name of sharedEvents) {
    events.on(name, (payload) => {
      if (!fromElsewhere.delete(payload)) publish(name, payload)
    })
  }
  return (name, payload) => {
    if (!isShared(name) || typeof payload !== 'object' || payload === null) return
    fromElsewhere.add(payload)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- told by an instance of the same version, under this name
    events.emit(name, payload as DomainEvents[typeof name])
  }
}
