import { migrations } from '../migrations/migrations.ts'
import type { Platform } from '../platform/platform.ts'
import { adjustExpiry } from './adjust-expiry.ts'
import { migrate } from '../platform/store/schema.ts'

/** Migrates the database to what this program needs, before any index is built. */
export async function prepareDatabase({ connection, log }: Pick<Platform, 'connection' | 'log'>): Promise<void> {
  if (connection.db === undefined) throw new Error('the database is not connected')
  await migrate({ database: connection.db, migrations, log })
  await adjustExpiry(connection, log)
}
