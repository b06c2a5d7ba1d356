import { Readable } from 'node:stream'

/** A stream without data. `Readable.from([])` would start an async iterator for each CONNECT and SUBSCRIBE. */
class Empty extends Readable {
  constructor() {
    super({ objectMode: true })
  }
  override _read(): void {
    this.push(null)
  }
}

/**
 * aedes' persistence interface over an empty store. Sessions are clean, nothing is retained, QoS 2 is refused, and a will
 * ends with its connection. So nobody can fill a store, and no stale will can be published. (aedes' own store publishes
 * every will when the clock jumps forward by minutes.)
 */
export function createNoPersistence() {
  const nothing = async (): Promise<undefined> => undefined
  const emptyStream = () => new Empty()
  return {
    setup: async (): Promise<void> => {},
    storeRetained: nothing,
    createRetainedStream: emptyStream,
    createRetainedStreamCombi: emptyStream,
    addSubscriptions: nothing,
    removeSubscriptions: nothing,
    subscriptionsByClient: async (): Promise<[]> => [],
    countOffline: async () => ({ subsCount: 0, clientsCount: 0 }),
    subscriptionsByTopic: async (): Promise<[]> => [],
    cleanSubscriptions: nothing,
    outgoingEnqueue: nothing,
    outgoingEnqueueCombi: nothing,
    outgoingUpdate: nothing,
    outgoingClearMessageId: nothing,
    outgoingStream: emptyStream,
    incomingStorePacket: nothing,
    incomingGetPacket: async (): Promise<never> => {
      throw new Error('no such packet')
    },
    incomingDelPacket: nothing,
    cleanIncoming: nothing,
    putWill: nothing,
    getWill: nothing,
    delWill: nothing,
    streamWill: emptyStream,
    getClientList: emptyStream,
    destroy: nothing
  }
}
