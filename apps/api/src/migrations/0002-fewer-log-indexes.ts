import type { Migration } from '../platform/store/schema.ts'

/** Indexes that served only a switch's log, the expiry and a report's key. Each index costs every row a page of the disk. */
const left = ['switchId_1_createdAt_-1__id_-1', 'createdAt_-1', 'deviceId_1_switchIndex_1_report.bootId_1_report.seq_1']

/** Drops those indexes. The action log keeps the indexes by owner, by board and by time. */
export const fewerLogIndexes: Migration = {
  name: '0002-fewer-log-indexes',
  async run(database) {
    const collections = await database.listCollections({ name: 'switchActionLogs' }).toArray()
    if (collections.length === 0) return
    const logs = database.collection('switchActionLogs')
    const there = await logs.indexes()
    for (const { name } of there) if (name !== undefined && left.includes(name)) await logs.dropIndex(name)
  }
}
