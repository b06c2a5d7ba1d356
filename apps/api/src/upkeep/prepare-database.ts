import { migrations } from '../migrations/migrations.ts'
import type { Platform } from '../platform/platform.ts'
import { adjustExpiry } from '../platform/store/adjust-expiry.ts'
import { migrate } from '../platform/store/schema.ts'

/** Brings the database to where this program can use it; before any index is made. */
export async function prepareDatabase({ connection, log }: Pick<Platform, 'connection' | 'log'>): Promise<void> {
  if (connection.db === undefined) throw new Error('the database is not connected')
  await migrate({ database: connection.db, migrations, log })
  await adjustExpiry(connection, log)
}
