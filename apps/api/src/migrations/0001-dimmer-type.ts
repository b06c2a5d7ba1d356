import type { Migration } from '../platform/store/schema.ts'

/**
 * Adds the dimmer: databases from before it know only four device types, and refuse to pair a dimmer. An empty collection
 * is left alone, because it is seeded with all types right afterwards. The type is written as it was at that time,
 * whatever it becomes later.
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
