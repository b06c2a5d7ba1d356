import type { Migration } from '../platform/store/schema.ts'

/**
 * Databases from before the dimmer know four kinds of board; a dimmer that asked to be paired was refused. An empty one is
 * left alone: it is filled with all kinds right after. As the kind was then, whatever becomes of it later.
 */
export const dimmerType: Migration = {
  name: '0001-dimmer-type',
  async run(database, now) {
    const types = database.collection('deviceTypes')
    if ((await types.findOne({}, { projection: { _id: 1 } })) === null) return
    await types.updateOne(
      { deviceCode: 'BTD', hwModel: 'batti-dimmer' },
      {
        $setOnInsert: {
          deviceName: 'Dimmer',
          description: 'Wall board with two dimmers and two switches',
          numberOfSwitches: 4,
          numberOfFans: 0,
          numberOfSockets: 0,
          fanIndexes: [],
          socketIndexes: [],
          dimmerIndexes: [0, 1],
          deviceImage: null,
          createdAt: now,
          updatedAt: now
        }
      },
      { upsert: true }
    )
  }
}
