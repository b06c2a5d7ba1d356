import { Timestamp } from 'bson'
import { isDocument, typeName, type Document } from '../bson/document.ts'
import { failedToParse, MongoError, unsupported } from '../errors.ts'
import { PAUSE, type Stream } from '../storage/pause.ts'
import type { ChangeLog, LoggedChange } from './change-log.ts'
import { holds, type Scope } from './scope.ts'
import { readToken } from './token.ts'

export interface ChangeStreamOptions {
  fullDocument: 'default' | 'updateLookup' | 'whenAvailable'
  /** Place in the log after which events are sent. */
  after: number
}

const known = new Set([
  'fullDocument',
  'fullDocumentBeforeChange',
  'resumeAfter',
  'startAfter',
  'startAtOperationTime',
  'allChangesForCluster',
  'showExpandedEvents'
])

/** Reads the `$changeStream` stage and finds its place in the log. */
export function parseChangeStream(spec: unknown, scope: Scope, log: ChangeLog): ChangeStreamOptions {
  if (!isDocument(spec))
    throw new MongoError(14, `$changeStream must take a nested object but found: ${typeName(spec)}`)
  for (const field of Object.keys(spec)) {
    if (!known.has(field)) throw new MongoError(40415, `BSON field '$changeStream.${field}' is an unknown field.`)
  }
  const {
    fullDocument = 'default',
    fullDocumentBeforeChange = 'off',
    resumeAfter,
    startAfter,
    startAtOperationTime
  } = spec
  if (fullDocumentBeforeChange === 'required') throw unsupported('fullDocumentBeforeChange')
  if (spec['showExpandedEvents'] === true) throw unsupported('showExpandedEvents')
  if (fullDocument === 'required') throw unsupported("fullDocument 'required'")
  if (fullDocument !== 'default' && fullDocument !== 'updateLookup' && fullDocument !== 'whenAvailable') {
    throw failedToParse(
      `Enumeration value '${String(fullDocument)}' for field '$changeStream.fullDocument' is not a valid value.`
    )
  }
  const starts = [resumeAfter, startAfter, startAtOperationTime].filter((start) => start !== undefined)
  if (starts.length > 1)
    throw new MongoError(50674, 'Only one type of resume option is allowed, but multiple were found')
  const token = resumeAfter ?? startAfter
  if (token !== undefined) {
    const after = readToken(token)
    log.checkPlace(scope, after)
    if (startAfter === undefined) refuseInvalidate(log, after)
    return { fullDocument, after }
  }
  if (startAtOperationTime !== undefined) {
    if (!(startAtOperationTime instanceof Timestamp))
      throw new MongoError(14, "BSON field '$changeStream.startAtOperationTime' is the wrong type")
    log.watch(scope)
    return { fullDocument, after: log.placeAt(scope, startAtOperationTime) }
  }
  log.watch(scope)
  return { fullDocument, after: log.head() }
}

function refuseInvalidate(log: ChangeLog, at: number): void {
  const [entry] = log.read(at - 1, 1)
  if (entry?.seq === at && entry.event['operationType'] === 'invalidate') {
    throw new MongoError(
      260,
      "Attempting to resume a change stream using 'resumeAfter' is not allowed from an invalidate notification"
    )
  }
}

export interface EventSource {
  events: Stream<Document>
  /** Returns the place up to which all events were sent or skipped. */
  place(): number
}

/**
 * Streams the events of a scope from a place on. PAUSE means that there are no more events at present. The stream ends
 * after an `invalidate`.
 */
export function createEventSource(
  log: ChangeLog,
  scope: Scope,
  { fullDocument, after }: ChangeStreamOptions,
  lookup: (namespace: string, id: unknown) => Document | null
): EventSource {
  let place = after

  const toEvent = ({ namespace, event }: LoggedChange): Document | null => {
    if (event['operationType'] === 'invalidate') {
      const { of: _, ...shown } = event
      return scope.kind === event['of'] ? shown : null
    }
    if (event['operationType'] !== 'update') return event
    if (fullDocument === 'default') return event
    const key = event['documentKey']
    const document = fullDocument === 'whenAvailable' ? null : lookup(namespace, isDocument(key) ? key['_id'] : null)
    return { ...event, fullDocument: document }
  }

  function* events(): Stream<Document> {
    for (;;) {
      const entries = log.read(place, 100)
      for (const entry of entries) {
        const shown = holds(scope, entry.namespace) ? toEvent(entry) : null
        if (shown) yield shown
        place = entry.seq
        if (shown?.['operationType'] === 'invalidate') return
      }
      log.touch(scope)
      if (entries.length === 0) yield PAUSE
    }
  }
  return { events: events(), place: () => place }
}
